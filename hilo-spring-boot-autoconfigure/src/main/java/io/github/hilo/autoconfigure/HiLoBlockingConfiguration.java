package io.github.hilo.autoconfigure;

import java.util.function.Function;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.counter.MongoRangeStores;
import io.github.hilo.data.HiLoBeforeConvertCallback;
import io.github.hilo.data.TemplateCallbacks;
import io.github.hilo.data.TemplateDatabases;
import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.mapping.MissingValues;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.annotation.RegisterReflection;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mapping.callback.EntityCallbacks;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.data.mongodb.core.MongoTemplate;

/**
 * HiLo ids for what blocking templates save.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(OnDatabase.Blocking.class)
@RegisterReflection(classes = MongoTemplate.class, memberCategories = MemberCategory.ACCESS_DECLARED_FIELDS)
class HiLoBlockingConfiguration {

	/**
	 * Takes the engine, if there is one, to be destroyed before it. A generator of the
	 * user's is asked for other databases by their names.
	 */
	@Bean
	@ConditionalOnMissingBean
	HiLoBeforeConvertCallback hiLoBeforeConvertCallback(ObjectProvider<HiLoIdGenerator> generator,
			MissingValues missing, BeanFactory beans, ObjectProvider<MongoRangeStores> stores,
			@Nullable HiLoEngine engine) {
		MongoRangeStores own = stores.getIfAvailable();
		var defaultFactory = BlockingDatabases.defaultFactory(beans);
		Function<MongoDatabaseFactory, String> names = (factory) -> (own != null)
				? own.current(BlockingDatabases.of(factory)).database() : factory.getMongoDatabase().getName();
		return new HiLoBeforeConvertCallback(new OnceSupplied<>(generator::getObject), missing,
				new TemplateDatabases<>((factory) -> defaultFactory.is((found) -> found == factory), names,
						BlockingDatabases::isFixed, () -> defaultFactory.isAlone(BlockingDatabases::isFixed, names)),
				engine);
	}

	@Bean
	static TemplateMarker<MongoTemplate, EntityCallbacks> hiLoTemplateMarker(ConfigurableListableBeanFactory beans) {
		return new TemplateMarker<>(beans, MongoTemplate.class, TemplateCallbacks::new,
				MongoTemplate::setEntityCallbacks);
	}

	@Bean
	@ConditionalOnBean(HiLoEngine.class)
	static HiLoEngineConfiguration.DependsOnEngine hiLoMongoOperationsDependency() {
		return new HiLoEngineConfiguration.DependsOnEngine(MongoOperations.class);
	}

}
