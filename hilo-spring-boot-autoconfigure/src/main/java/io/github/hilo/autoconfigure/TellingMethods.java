package io.github.hilo.autoconfigure;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Which methods of a factory tell the cluster that its databases are in. What Spring Data
 * answers is that of one client, so it counts only where the factory chooses no database
 * itself.
 *
 * @param session whether {@code getSession} is the factory's own
 * @param cluster whether {@code getMongoCluster} is
 * @param databases whether a method is that chooses databases
 */
record TellingMethods(boolean session, boolean cluster, boolean databases) {

	/**
	 * Since Spring Data MongoDB 5.1 a factory tells its cluster without a session.
	 */
	static final boolean WITHOUT_SESSION = ClassUtils.isPresent("org.springframework.data.mongodb.MongoClusterCapable",
			TellingMethods.class.getClassLoader());

	private static final ClassValue<TellingMethods> KNOWN = new ClassValue<>() {

		@Override
		protected TellingMethods computeValue(Class<?> type) {
			Set<String> own = Stream.of(ReflectionUtils.getUniqueDeclaredMethods(ClassUtils.getUserClass(type)))
				.filter((method) -> !method.getDeclaringClass()
					.getName()
					.startsWith("org.springframework.data.mongodb."))
				.map(Method::getName)
				.collect(Collectors.toSet());
			return new TellingMethods(own.contains("getSession"), own.contains("getMongoCluster"),
					own.contains("getMongoDatabase") || own.contains("doGetMongoDatabase"));
		}

	};

	/**
	 * Looks at the factory's class, not at that of a proxy, which declares all methods.
	 */
	static TellingMethods of(Object factory) {
		return KNOWN.get(AopProxyUtils.ultimateTargetClass(factory));
	}

	/**
	 * Whether each database must be in the cluster that a method tells.
	 * @param byCluster whether {@code getMongoCluster} is asked, and not
	 * {@code getSession}
	 */
	boolean isCertain(boolean byCluster) {
		return !this.databases || (byCluster ? this.cluster : this.session);
	}

	/**
	 * Whether a client is the driver's own. One behind a proxy may be replaced.
	 */
	static boolean isDriversOwn(@Nullable Object client) {
		return client != null && client.getClass().getName().startsWith("com.mongodb.")
				&& !(client instanceof SpringProxy);
	}

	/**
	 * Finds the names of the beans of a type of clients, once.
	 */
	static Supplier<List<String>> clients(ListableBeanFactory beans, Class<?> type) {
		return new OnceSupplied<>(
				() -> Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false))
					.filter((name) -> !ScopedProxyUtils.isScopedTarget(name))
					.toList());
	}

	/**
	 * Refuses databases that may be in one of several clusters.
	 * @param clients the clients that there are
	 * @throws IllegalStateException if there is more than one
	 */
	static void requireOneClient(Object factory, List<String> clients) {
		Assert.state(clients.size() < 2, () -> "It cannot be told in which cluster the databases of "
				+ AopProxyUtils.ultimateTargetClass(factory).getName() + " are, and there are several clients: "
				+ clients + ". A stored document could be replaced. Override "
				+ (WITHOUT_SESSION ? "getMongoCluster() or " : "")
				+ "getSession(ClientSessionOptions) in it, so that the method leads to the client of the current"
				+ " database. Where all its databases are of one client, let the method return that of super.");
	}

}
