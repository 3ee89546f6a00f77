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
 * factory, and the factory's {@code getMongoCluster} returns the client of its databases,
 * unless the factory inherits that method and chooses databases itself
 * ({@link #RETURNS_CLIENT}).
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
	 * Whether {@code getMongoCluster} of a class returns the client of the current
	 * database. A class that declares the method does so. A class that declares only
	 * {@code getMongoDatabase} or {@code doGetMongoDatabase} does not: it inherits the
	 * client of the database that its superclass would have chosen. Any other class does
	 * what its superclass does.
	 */
	private static final ClassValue<Boolean> RETURNS_CLIENT = new ClassValue<>() {

		@Override
		protected Boolean computeValue(Class<?> type) {
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
		return testDefault((known) -> known.factory.get() == factory);
	}

	/**
	 * Tests the default factory. Returns {@code false} if the beans do not lead to one
	 * now: there is none, its template is just being created and needs the bean that
	 * calls this, or its template belongs to a scope that is not active.
	 */
	private boolean testDefault(Predicate<BoundFactory> test) {
		try {
			return test.test(this.found.get());
		}
		catch (BeansException ex) {
			return false;
		}
	}

	private boolean hasDefaultNow() {
		return testDefault((known) -> known.factory.get() != null);
	}

	/**
	 * Returns whether a factory always leads to the same database, because neither the
	 * factory nor its client can be replaced.
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
		if (testDefault((known) -> !known.isScoped && isOfUnknownCluster(known.factory.get()))) {
			logger.warn("Saves to the default database will be refused. {}",
					refusal(this.found.get().factory.get(), null));
		}
	}

	private boolean isSimple(Object factory) {
		return factory.getClass() == this.driver.fixedFactoryType();
	}

	/**
	 * Finds the cluster that a factory leads to now, or {@code null} if the factory does
	 * not return its client, and there is only one.
	 * @throws IllegalStateException if it is not known
	 */
	private @Nullable ClusterSettings clusterOf(F factory) {
		boolean returnsClient = returnsClient(factory);
		if (!returnsClient && isOfTheOnlyClient(factory)) {
			return null;
		}
		Object client = returnsClient ? this.driver.clientOf(factory) : null;
		if (!this.driver.clientType().isInstance(client)) {
			throw new IllegalStateException(refusal(factory, client));
		}
		return this.driver.clusterOf(this.driver.clientType().cast(client));
	}

	private boolean isOfUnknownCluster(F factory) {
		return !returnsClient(factory) && !isOfTheOnlyClient(factory);
	}

	/**
	 * Returns whether a factory leads to the application's only client. A factory without
	 * {@code getMongoCluster} may have clients that are no beans.
	 */
	private boolean isOfTheOnlyClient(F factory) {
		return isCapable(factory) && this.clients.get().size() < 2;
	}

	private boolean isCapable(F factory) {
		return this.driver.clusterCapableType().isInstance(factory);
	}

	private boolean returnsClient(F factory) {
		return isCapable(factory) && (isSimple(factory) || RETURNS_CLIENT.get(typeOf(factory)));
	}

	/**
	 * Finds the factory's own class now, because the class of a proxy declares all
	 * methods, and the target of a proxy can be replaced.
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
	 * beans.
	 * @param databaseName names the database of a fixed factory; any other factory counts
	 * as a database of its own
	 */
	boolean areOneDatabase(Function<F, ?> databaseName) {
		Set<Object> factories = Stream.of(this.driver.templateType(), this.driver.factoryType())
			.flatMap((type) -> Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beans, type)))
			.flatMap((beanName) -> Stream.ofNullable(factoryOrBeanName(beanName)))
			.collect(Collectors.toSet());
		return factories.size() < 2 || factories.stream()
			.map((factory) -> isFixed(factory) ? databaseName.apply(this.driver.factoryType().cast(factory)) : factory)
			.distinct()
			.count() < 2;
	}

	/**
	 * Returns the factory that a bean has or is. A bean that is no singleton is not
	 * created: its name stands for a factory of another database.
	 */
	private @Nullable Object factoryOrBeanName(String beanName) {
		Object bean = this.beans.isSingleton(beanName) ? this.beans.getBean(beanName) : beanName;
		return this.driver.templateType().isInstance(bean)
				? this.driver.factoryOf(this.driver.templateType().cast(bean)) : bean;
	}

	private BoundFactory find() {
		Class<T> templates = this.driver.templateType();
		T template = this.beans.getBeanProvider(templates).getIfUnique();
		String usualName = StringUtils.uncapitalize(templates.getSimpleName());
		if (template == null && this.beans.containsBean(usualName) && this.beans.isTypeMatch(usualName, templates)) {
			template = this.beans.getBean(usualName, templates);
		}
		if (template != null && AopUtils.isAopProxy(template)) {
			// Each scope can have its own template, with its own factory. So the proxy is
			// asked for the factory each time.
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
	 * A factory that leads to databases, or the one of each scope. What never changes is
	 * decided once.
	 */
	private final class BoundFactory implements DatabaseFactory<D> {

		private final Supplier<F> factory;

		private final boolean isScoped;

		private final boolean hasFixedName;

		private final boolean isFixed;

		BoundFactory(F factory) {
			this.factory = () -> factory;
			this.isScoped = false;
			this.hasFixedName = isSimple(factory);
			this.isFixed = DriverFactories.this.isFixed(factory);
		}

		/**
		 * Creates the factory of each scope. Its stores are not kept, because the factory
		 * of a scope, its database and its client can end with the scope.
		 */
		BoundFactory(Supplier<F> scoped) {
			this.factory = scoped;
			this.isScoped = true;
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
			return clusterOf(this.factory.get());
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
	 * The default factory, which is found when it is first needed. If it is the one of
	 * each scope, it leads nowhere outside of the scopes.
	 */
	private final class DefaultFactory implements DatabaseFactory<D> {

		@Override
		public D currentDatabase() {
			return DriverFactories.this.found.get().currentDatabase();
		}

		@Override
		public D namedDatabase(String name) {
			Driver<?, F, C, D> driver = DriverFactories.this.driver;
			return hasDefaultNow() ? DriverFactories.this.found.get().namedDatabase(name)
					: driver.databaseOf(DriverFactories.this.beans.getBean(driver.clientType()), name);
		}

		@Override
		public @Nullable ClusterSettings cluster() {
			return hasDefaultNow() ? DriverFactories.this.found.get().cluster() : null;
		}

		@Override
		public boolean hasFixedName() {
			return testDefault((known) -> known.hasFixedName);
		}

		@Override
		public boolean isFixed() {
			return testDefault((known) -> known.isFixed);
		}

		@Override
		public boolean isDefault() {
			return true;
		}

	}

}
