package io.github.hilo.autoconfigure;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
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

	private static final String SPRING_DATA = "org.springframework.data.mongodb.";

	private static final ClassValue<TellingMethods> KNOWN = new ClassValue<>() {

		@Override
		protected TellingMethods computeValue(Class<?> type) {
			Set<String> own = Stream.of(ReflectionUtils.getUniqueDeclaredMethods(ClassUtils.getUserClass(type)))
				.filter((method) -> !method.getDeclaringClass().getName().startsWith(SPRING_DATA))
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
	 * Finds what tells the cluster of a factory without a session, since Spring Data
	 * MongoDB 5.1. By reflection, because it must also run and be built with 5.0.
	 * @param capable the simple name of the interface that declares it
	 */
	static @Nullable Method clusterMethod(String capable) {
		ClassLoader loader = TellingMethods.class.getClassLoader();
		String name = SPRING_DATA + capable;
		return ClassUtils.isPresent(name, loader)
				? ReflectionUtils.findMethod(ClassUtils.resolveClassName(name, loader), "getMongoCluster") : null;
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
	 * Whether a factory holds what may be replaced. Before Spring Data MongoDB 5.1 it
	 * does not tell that its client is a proxy: the session is that of the client behind.
	 */
	static boolean holdsProxy(Object factory) {
		AtomicBoolean proxy = new AtomicBoolean();
		ReflectionUtils.doWithFields(factory.getClass(), (field) -> {
			ReflectionUtils.makeAccessible(field);
			if (field.get(factory) instanceof SpringProxy) {
				proxy.set(true);
			}
		});
		return proxy.get();
	}

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
				+ clients + ". A stored document could be replaced. Override getSession(ClientSessionOptions), or"
				+ " getMongoCluster() since Spring Data MongoDB 5.1, so that it leads to the client of the current"
				+ " database. If all its databases are of one client, call super there.");
	}

	static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
			Stream.of("MongoClusterCapable", "ReactiveMongoClusterCapable")
				.forEach((capable) -> hints.reflection()
					.registerTypeIfPresent(loader, SPRING_DATA + capable, MemberCategory.INVOKE_PUBLIC_METHODS));
		}

	}

}
