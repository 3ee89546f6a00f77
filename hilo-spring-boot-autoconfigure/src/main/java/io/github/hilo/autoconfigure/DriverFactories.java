package io.github.hilo.autoconfigure;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.mongodb.connection.ClusterSettings;
import io.github.hilo.internal.mongodb.DatabaseFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.SpringProxy;
import org.springframework.aop.TargetClassAware;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Finds the databases and clusters that the templates of one driver use. A template has a
 * factory, and the factory's {@code getMongoCluster} returns the client of its databases.
 * The result counts only if no subclass of the class that declares the method chooses
 * databases.
 * <p>
 * The default database is that of the only template, of the primary template, or of the
 * template with Spring Boot's bean name. If there is none of these, it is that of the
 * primary factory. When the default factory is found, the engine becomes a dependent of
 * the factory and the clients. So the engine is destroyed first and can still return
 * unused ranges.
 * <p>
 * Thread-safe: the fields are final, and {@link OnceSupplied} publishes what is found
 * later.
 *
 * @param <T> a template
 * @param <F> a factory
 * @param <C> a client
 * @param <D> a database, or a publisher of it
 */
final class DriverFactories<T, F, C, D> {

	private static final Logger logger = LoggerFactory.getLogger(DriverFactories.class);

	/**
	 * Whether the class that declares {@code getMongoCluster} is that which chooses the
	 * database, or a subclass of it. For example, a subclass of
	 * {@code SimpleMongoClientDatabaseFactory} that overrides only
	 * {@code getMongoDatabase()} inherits the client of its first database, which may not
	 * be that of the chosen one.
	 */
	private static final ClassValue<Boolean> RETURNS_CLIENT = new ClassValue<>() {

		@Override
		protected Boolean computeValue(Class<?> proxied) {
			Class<?> type = ClassUtils.getUserClass(proxied);
			Set<String> own = Stream.of(type.getDeclaredMethods()).map(Method::getName).collect(Collectors.toSet());
			boolean choosing = own.contains("getMongoDatabase") || own.contains("doGetMongoDatabase");
			return own.contains("getMongoCluster") || (!choosing && type != Object.class && get(type.getSuperclass()));
		}

	};

	private final ConfigurableListableBeanFactory beans;

	private final Driver<T, F, C, D> driver;

	private final Supplier<BoundFactory> found = new OnceSupplied<>(this::find);

	private final Supplier<List<String>> clients = new OnceSupplied<>(this::findClients);

	DriverFactories(ConfigurableListableBeanFactory beans, Driver<T, F, C, D> driver) {
		this.beans = beans;
		this.driver = driver;
	}

	/**
	 * Returns the factory of the default database. Without one, named databases are those
	 * of the only client.
	 */
	DatabaseFactory<D> ofDefault() {
		return new DefaultFactory();
	}

	DatabaseFactory<D> of(F factory) {
		return new BoundFactory(factory);
	}

	/**
	 * Finds the cluster of the default database, or {@code null} if the cluster cannot be
	 * found now. Other factories still work, so a failure is ignored.
	 */
	@Nullable ClusterSettings defaultCluster() {
		try {
			return ofDefault().cluster();
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	/**
	 * Returns whether a factory is that of the default database, as far as that is known.
	 */
	boolean isDefault(F factory) {
		return isFound((known) -> known.factory.get() == factory);
	}

	/**
	 * Tests the default factory. Returns {@code false} as long as there is none, because
	 * a bean that a template needs may call this early, and outside of its scope.
	 */
	private boolean isFound(Predicate<BoundFactory> test) {
		try {
			return test.test(this.found.get());
		}
		catch (BeansException ex) {
			return false;
		}
	}

	private boolean isThere() {
		return isFound((known) -> known.factory.get() != null);
	}

	/**
	 * Whether a factory always leads to the same database, because neither the factory
	 * nor its client can be replaced.
	 */
	private boolean isFixed(Object factory) {
		Object client = isSimple(factory) ? this.driver.clientOf(factory) : null;
		return client != null && client.getClass().getName().startsWith("com.mongodb.")
				&& !(client instanceof SpringProxy);
	}

	/**
	 * Logs at start-up that saves to the default database will be refused.
	 */
	void warnOfRefusal() {
		if (isFound((known) -> !known.isScoped && !returnsClient(known.factory.get())
				&& !isOfTheOnlyClient(known.factory.get()))) {
			logger.warn("Saves to the default database will be refused. {}",
					refusal(this.found.get().factory.get(), null));
		}
	}

	private boolean isSimple(Object factory) {
		return factory.getClass() == this.driver.fixedFactoryType();
	}

	/**
	 * Finds the cluster that a factory leads to now, or {@code null} if the factory
	 * inherits its client, and there is only one.
	 * @throws IllegalStateException if it is not known
	 */
	private @Nullable ClusterSettings clusterOf(F factory, boolean returnsClient) {
		Object client = returnsClient ? this.driver.clientOf(factory) : null;
		if (this.driver.clientType().isInstance(client)) {
			return this.driver.clusterOf(this.driver.clientType().cast(client));
		}
		if (returnsClient || !isOfTheOnlyClient(factory)) {
			throw new IllegalStateException(refusal(factory, client));
		}
		return null;
	}

	/**
	 * Whether a factory inherits the method that returns its client, and the application
	 * has no other client. A factory without that method may have clients of its own.
	 */
	private boolean isOfTheOnlyClient(F factory) {
		return isCapable(factory) && this.clients.get().size() < 2;
	}

	private boolean isCapable(F factory) {
		return this.driver.clusterCapableType().isInstance(factory);
	}

	private boolean returnsClient(F factory) {
		return isCapable(factory) && (isSimple(factory)
				|| RETURNS_CLIENT.get((factory instanceof TargetClassAware) ? typeOf(factory) : factory.getClass()));
	}

	/**
	 * Finds the factory's own class, because the class of a proxy declares all methods.
	 */
	private static Class<?> typeOf(Object factory) {
		return ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(factory));
	}

	private String refusal(F factory, @Nullable Object client) {
		String type = typeOf(factory).getName();
		String capable = this.driver.clusterCapableType().getSimpleName();
		String returned = ", so that getMongoCluster() returns the MongoClient of the current database itself.";
		String unknown = "It is not known in which cluster the databases of " + type + " are, because ";
		if (!isCapable(factory)) {
			return unknown + "it is not " + capable + ". A stored document could be replaced. Implement " + capable
					+ " in " + type + ", or wrap it in a factory that does" + returned;
		}
		return unknown
				+ (returnsClient(factory)
						? "its getMongoCluster() returned " + ((client != null) ? client.getClass() : null)
						: "there are several clients: " + this.clients.get())
				+ ". A stored document could be replaced. Override getMongoCluster() of " + capable + " in " + type
				+ returned + " If all its databases are of one client, call super there.";
	}

	private List<String> findClients() {
		return Stream
			.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beans, this.driver.clientType(), true, false))
			.filter((name) -> !ScopedProxyUtils.isScopedTarget(name))
			.toList();
	}

	/**
	 * Returns whether all templates and factories are of one database. Creates lazy
	 * beans. A bean that is no singleton is not created, and counts as one of another
	 * database.
	 * @param name names a database that a fixed factory leads to; any other factory
	 * counts as a database of its own
	 */
	boolean areOneDatabase(Function<F, ?> name) {
		Set<Object> all = Stream.of(this.driver.templateType(), this.driver.factoryType())
			.flatMap((type) -> Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beans, type)))
			.map((bean) -> this.beans.isSingleton(bean) ? this.beans.getBean(bean) : bean)
			.map((bean) -> this.driver.templateType().isInstance(bean)
					? this.driver.factoryOf(this.driver.templateType().cast(bean)) : bean)
			.flatMap(Stream::ofNullable)
			.collect(Collectors.toSet());
		return all.size() < 2 || all.stream()
			.map((bean) -> isFixed(bean) ? name.apply(this.driver.factoryType().cast(bean)) : bean)
			.distinct()
			.count() < 2;
	}

	private BoundFactory find() {
		Class<T> templates = this.driver.templateType();
		T template = this.beans.getBeanProvider(templates).getIfUnique();
		String usualName = StringUtils.uncapitalize(templates.getSimpleName());
		if (template == null && this.beans.containsBean(usualName) && this.beans.isTypeMatch(usualName, templates)) {
			template = this.beans.getBean(usualName, templates);
		}
		if (template != null && AopUtils.isAopProxy(template)) {
			// Each scope can have its own template.
			T scoped = template;
			return new BoundFactory(() -> this.driver.factoryOf(scoped));
		}
		F own = (template != null) ? this.driver.factoryOf(template) : null;
		F factory = (own != null) ? own : this.beans.getBeanProvider(this.driver.factoryType()).getIfUnique();
		if (factory == null) {
			throw new NoSuchBeanDefinitionException(templates,
					"There is no default database for HiLo ids. Mark one of the beans with @Primary, or name the database"
							+ " with HiLoIdGenerator.forDatabase(…)");
		}
		Stream
			.concat(this.clients.get().stream(),
					Stream.of(this.beans.getBeanNamesForType(factory.getClass(), false, false))
						.filter((name) -> this.beans.getSingleton(name) == factory))
			.forEach((name) -> this.beans.registerDependentBean(name, "hiLoEngine"));
		return new BoundFactory(factory);
	}

	/**
	 * A factory that leads to databases, or the one of each scope. What is certain about
	 * it is decided once.
	 */
	private final class BoundFactory implements DatabaseFactory<D> {

		private final Supplier<F> factory;

		private final boolean isScoped;

		private final boolean hasFixedName;

		private final boolean isFixed;

		private final Predicate<F> returnsClient;

		BoundFactory(F factory) {
			boolean returnsClient = returnsClient(factory);
			this.factory = () -> factory;
			this.isScoped = false;
			// The target of a proxy can be replaced.
			this.returnsClient = (factory instanceof TargetClassAware) ? DriverFactories.this::returnsClient
					: (always) -> returnsClient;
			this.hasFixedName = isSimple(factory);
			this.isFixed = DriverFactories.this.isFixed(factory);
		}

		BoundFactory(Supplier<F> scoped) {
			this.factory = scoped;
			this.isScoped = true;
			this.returnsClient = DriverFactories.this::returnsClient;
			this.hasFixedName = false;
			this.isFixed = false;
		}

		@Override
		public D currentDatabase() {
			return DriverFactories.this.driver.currentDatabase(this.factory.get());
		}

		@Override
		public D namedDatabase(String name) {
			return DriverFactories.this.driver.namedDatabase(this.factory.get(), name);
		}

		@Override
		public @Nullable ClusterSettings cluster() {
			F current = this.factory.get();
			return clusterOf(current, this.returnsClient.test(current));
		}

		@Override
		public boolean hasFixedName() {
			return this.hasFixedName;
		}

		@Override
		public boolean isFixed() {
			return this.isFixed;
		}

		@Override
		public boolean isDefault() {
			return DriverFactories.this.isDefault(this.factory.get());
		}

	}

	/**
	 * The default factory, which is found when it is first needed, and which can be
	 * another one in each scope.
	 */
	private final class DefaultFactory implements DatabaseFactory<D> {

		@Override
		public D currentDatabase() {
			return DriverFactories.this.found.get().currentDatabase();
		}

		@Override
		public D namedDatabase(String name) {
			Driver<?, F, C, D> driver = DriverFactories.this.driver;
			return isThere() ? DriverFactories.this.found.get().namedDatabase(name)
					: driver.databaseOf(DriverFactories.this.beans.getBean(driver.clientType()), name);
		}

		@Override
		public @Nullable ClusterSettings cluster() {
			return isThere() ? DriverFactories.this.found.get().cluster() : null;
		}

		@Override
		public boolean hasFixedName() {
			return isFound((known) -> known.hasFixedName);
		}

		@Override
		public boolean isFixed() {
			return isFound((known) -> known.isFixed);
		}

		@Override
		public boolean isDefault() {
			return true;
		}

	}

}
