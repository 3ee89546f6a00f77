package io.github.hilo.autoconfigure;

import java.util.Objects;
import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.engine.HiLoEngine;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.data.mongodb.core.ReactiveMongoOperations;
import org.springframework.util.ClassUtils;

/**
 * {@link Conditional Conditions} on a template or factory, which leads to a database.
 * Below a context with an engine, only templates and factories of the context itself
 * count, because the templates of the parent already assign ids.
 */
abstract class OnDatabase extends SpringBootCondition implements ConfigurationCondition {

	/**
	 * The reactive driver's client. Without this class, Spring cannot read the methods of
	 * a configuration that uses the driver's types.
	 */
	static final String REACTIVE_DRIVER = "com.mongodb.reactivestreams.client.MongoClient";

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		return new ConditionOutcome(matches(context),
				ConditionMessage.forCondition("HiLo database").because("of the templates and factories"));
	}

	abstract boolean matches(ConditionContext context);

	/**
	 * Whether factories can return their client, by the interface that Spring Data has
	 * had since Spring Boot 4.1.
	 */
	static boolean isBootNewEnough(@Nullable ClassLoader loader) {
		return ClassUtils.isPresent("org.springframework.data.mongodb.MongoClusterCapable", loader);
	}

	private static boolean hasUsable(ConditionContext context, Class<?>... types) {
		return isBelowAnEngine(context)
				? Stream.of(types).anyMatch((type) -> beans(context).getBeanNamesForType(type, true, false).length > 0)
				: hasBean(beans(context), types);
	}

	/**
	 * Returns whether a context or an ancestor has a bean of some types.
	 */
	private static boolean hasBean(ListableBeanFactory beans, Class<?>... types) {
		return Stream.of(types)
			.anyMatch(
					(type) -> BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false).length > 0);
	}

	private static ConfigurableListableBeanFactory beans(ConditionContext context) {
		return Objects.requireNonNull(context.getBeanFactory());
	}

	private static boolean isBelowAnEngine(ConditionContext context) {
		return beans(context).getParentBeanFactory() instanceof ListableBeanFactory parent
				&& hasBean(parent, HiLoEngine.class);
	}

	static final class Blocking extends OnDatabase {

		@Override
		boolean matches(ConditionContext context) {
			return hasUsable(context, MongoDatabaseFactory.class, MongoOperations.class);
		}

	}

	static final class Reactive extends OnDatabase {

		@Override
		boolean matches(ConditionContext context) {
			return hasUsable(context, ReactiveMongoDatabaseFactory.class, ReactiveMongoOperations.class);
		}

	}

	static final class Any extends OnDatabase {

		@Override
		boolean matches(ConditionContext context) {
			return new Blocking().matches(context) || new Reactive().matches(context);
		}

	}

	/**
	 * The application has no generator of its own that is a candidate for injection:
	 * either condition is enough. Below a context with an engine, the parent's generator
	 * belongs to the parent.
	 */
	static final class WithoutGenerator extends AnyNestedCondition {

		WithoutGenerator() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnMissingBean(HiLoIdGenerator.class)
		static final class InAllContexts {

		}

		@ConditionalOnBean(HiLoEngine.class)
		@ConditionalOnMissingBean(value = HiLoIdGenerator.class, search = SearchStrategy.CURRENT)
		static final class BelowAnEngine {

		}

	}

	/**
	 * There is no database, or Spring Boot is older than 4.1.
	 */
	static final class None extends OnDatabase {

		@Override
		boolean matches(ConditionContext context) {
			return !isBootNewEnough(context.getClassLoader()) || !hasBean(beans(context), MongoDatabaseFactory.class,
					MongoOperations.class, ReactiveMongoDatabaseFactory.class, ReactiveMongoOperations.class);
		}

	}

}
