package io.github.hilo.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import com.mongodb.client.MongoClient;
import io.github.hilo.internal.save.TemplateCallback;
import org.bson.Document;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.Answers;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanDefinitionCustomizer;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.ResolvableType;
import org.springframework.data.mapping.callback.EntityCallback;
import org.springframework.data.mapping.callback.EntityCallbacks;
import org.springframework.data.mapping.callback.ReactiveEntityCallbacks;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.SimpleReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.mongodb.core.mapping.event.BeforeSaveCallback;
import org.springframework.data.mongodb.core.mapping.event.ReactiveBeforeConvertCallback;
import org.springframework.data.mongodb.core.mapping.event.ReactiveBeforeSaveCallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link TemplateCallbacks}: which callbacks a save meets, in their order, and
 * which template those of ours know. No save reaches a database.
 */
class TemplateCallbacksTests {

	private static final String USERS = "user's";

	private static final String UNKNOWN = "unknown";

	private final List<Object> seen = new ArrayList<>();

	@ParameterizedTest
	@EnumSource
	void eachTemplateHasCopiesOfAllOurCallbacksThatKnowIt(Kind kind) {
		GenericApplicationContext context = context(kind);
		kind.register(context, "one");
		kind.register(context, "two");
		context.refresh();
		for (String name : List.of("one", "two", "one")) {
			Object template = context.getBean(name);
			assertSaveMeets(kind, template, USERS, givesId(template), excludes(template));
		}
	}

	@ParameterizedTest
	@EnumSource
	void eachPrototypeHasCopiesOfItsOwn(Kind kind) {
		GenericApplicationContext context = context(kind);
		kind.register(context, "prototype", (definition) -> definition.setScope(BeanDefinition.SCOPE_PROTOTYPE));
		context.refresh();
		Object template = context.getBean("prototype");
		Object other = context.getBean("prototype");
		assertSaveMeets(kind, other, USERS, givesId(other), excludes(other));
		assertSaveMeets(kind, template, USERS, givesId(template), excludes(template));
	}

	@ParameterizedTest
	@EnumSource
	void templateThatAPostProcessorNeedsHasThem(Kind kind) {
		GenericApplicationContext context = context(kind);
		kind.register(context, "one");
		context.registerBean("early", Early.class, () -> new Early(context.getBean("one")));
		context.refresh();
		Object template = context.getBean("one");
		assertSaveMeets(kind, template, USERS, givesId(template), excludes(template));
	}

	@ParameterizedTest
	@EnumSource
	void templateThatIsProxiedHasThem(Kind kind) {
		ApplicationContextAware target = kind.template();
		GenericApplicationContext context = context(kind);
		context.registerBean("one", ApplicationContextAware.class, () -> target);
		context.registerBean("proxying", Proxying.class, () -> new Proxying(target));
		context.refresh();
		assertThat(context.getBean("one")).isNotSameAs(target);
		assertSaveMeets(kind, context.getBean("one"), USERS, givesId(target), excludes(target));
	}

	@ParameterizedTest
	@EnumSource
	void templateThatIsMadeAsAProxyHasThem(Kind kind) {
		Object target = kind.template();
		GenericApplicationContext context = context(kind);
		context.registerBean("one", ApplicationContextAware.class, () -> (ApplicationContextAware) proxyOf(target));
		context.refresh();
		Object proxy = context.getBean("one");
		assertSaveMeets(kind, target, USERS, givesId(proxy), excludes(proxy));
	}

	@ParameterizedTest
	@EnumSource
	void templateOfAChildKnowsCallbacksOfItsParent(Kind kind) {
		GenericApplicationContext parent = context(kind);
		parent.refresh();
		GenericApplicationContext child = new GenericApplicationContext(parent);
		registerTemplateCallbacks(kind, child);
		kind.register(child, "one");
		child.refresh();
		Object template = child.getBean("one");
		assertSaveMeets(kind, template, USERS, givesId(template), excludes(template));
	}

	@ParameterizedTest
	@EnumSource
	void callbacksThatTheApplicationHasSetStay(Kind kind) {
		GenericApplicationContext context = context(kind);
		ApplicationContextAware template = kind.template();
		context.registerBean("own", ApplicationContextAware.class, () -> {
			kind.setCallbacks(template, context);
			return template;
		});
		context.refresh();
		assertSaveMeets(kind, template, givesId(UNKNOWN), excludes(UNKNOWN));
	}

	@ParameterizedTest
	@EnumSource
	void templateThatIsNoBeanHasThoseOfItsContext(Kind kind) {
		GenericApplicationContext context = context(kind);
		context.refresh();
		ApplicationContextAware template = kind.template();
		template.setApplicationContext(context);
		assertSaveMeets(kind, template, givesId(UNKNOWN), USERS, excludes(UNKNOWN));
	}

	private void assertSaveMeets(Kind kind, Object template, Object... expected) {
		this.seen.clear();
		assertThatExceptionOfType(Stop.class).isThrownBy(() -> kind.save(template));
		assertThat(this.seen).containsExactly(expected);
	}

	/**
	 * A context with callbacks of both drivers, of which each leaves the other's
	 * templates alone.
	 */
	private GenericApplicationContext context(Kind kind) {
		GenericApplicationContext context = new GenericApplicationContext();
		registerTemplateCallbacks(kind, context);
		context.registerBean(Ours.class, () -> new Ours(this.seen, UNKNOWN));
		context.registerBean(Users.class, () -> new Users(this.seen));
		context.registerBean(ReactiveOurs.class, () -> new ReactiveOurs(this.seen, UNKNOWN));
		context.registerBean(ReactiveUsers.class, () -> new ReactiveUsers(this.seen));
		return context;
	}

	private static void registerTemplateCallbacks(Kind kind, GenericApplicationContext context) {
		context.registerBean(TemplateCallbacks.class, () -> new TemplateCallbacks(context, kind.type,
				context.getBeanProvider(ResolvableType.forClass(EntityCallback.class))));
	}

	/**
	 * The half of ours that gives ids, which runs before the conversion.
	 */
	private static List<Object> givesId(Object template) {
		return List.of("gives an id", template);
	}

	/**
	 * The half of ours that excludes chosen ids, which runs before the save.
	 */
	private static List<Object> excludes(Object template) {
		return List.of("excludes a chosen id", template);
	}

	private static Object proxyOf(Object target) {
		ProxyFactory proxy = new ProxyFactory(target);
		proxy.setProxyTargetClass(true);
		return proxy.getProxy();
	}

	enum Kind {

		SYNCHRONOUS(MongoTemplate.class) {

			@Override
			ApplicationContextAware template() {
				return new MongoTemplate(mock(MongoClient.class, Answers.RETURNS_DEEP_STUBS), "shop");
			}

			@Override
			void setCallbacks(Object template, GenericApplicationContext context) {
				((MongoTemplate) template).setEntityCallbacks(EntityCallbacks.create(context.getBean(Ours.class)));
			}

			@Override
			void save(Object template) {
				((MongoTemplate) template).insert(new Thing("1"));
			}

		},

		REACTIVE(ReactiveMongoTemplate.class) {

			@Override
			ApplicationContextAware template() {
				return new ReactiveMongoTemplate(new SimpleReactiveMongoDatabaseFactory(
						mock(com.mongodb.reactivestreams.client.MongoClient.class, Answers.RETURNS_DEEP_STUBS),
						"shop"));
			}

			@Override
			void setCallbacks(Object template, GenericApplicationContext context) {
				((ReactiveMongoTemplate) template)
					.setEntityCallbacks(ReactiveEntityCallbacks.create(context.getBean(ReactiveOurs.class)));
			}

			@Override
			void save(Object template) {
				((ReactiveMongoTemplate) template).insert(new Thing("1")).block();
			}

		};

		final Class<? extends ApplicationContextAware> type;

		Kind(Class<? extends ApplicationContextAware> type) {
			this.type = type;
		}

		abstract ApplicationContextAware template();

		abstract void setCallbacks(Object template, GenericApplicationContext context);

		abstract void save(Object template);

		void register(GenericApplicationContext context, String name, BeanDefinitionCustomizer... customizers) {
			context.registerBean(name, ApplicationContextAware.class, this::template, customizers);
		}

	}

	record Thing(String id) {
	}

	record Ours(List<Object> seen, Object template)
			implements
				BeforeConvertCallback<Object>,
				BeforeSaveCallback<Object>,
				TemplateCallback,
				Ordered {

		@Override
		public Object forTemplate(Object template) {
			return (template instanceof MongoTemplate) ? new Ours(this.seen, template) : this;
		}

		@Override
		public Object onBeforeConvert(Object entity, String collection) {
			this.seen.add(givesId(this.template));
			return entity;
		}

		@Override
		public Object onBeforeSave(Object entity, Document document, String collection) {
			this.seen.add(excludes(this.template));
			throw new Stop();
		}

		@Override
		public int getOrder() {
			return LOWEST_PRECEDENCE;
		}

	}

	/**
	 * Is registered after ours, has no order, and comes before them.
	 */
	record Users(List<Object> seen) implements BeforeConvertCallback<Object> {

		@Override
		public Object onBeforeConvert(Object entity, String collection) {
			this.seen.add(USERS);
			return entity;
		}

	}

	record ReactiveOurs(List<Object> seen, Object template)
			implements
				ReactiveBeforeConvertCallback<Object>,
				ReactiveBeforeSaveCallback<Object>,
				TemplateCallback,
				Ordered {

		@Override
		public Object forTemplate(Object template) {
			return (template instanceof ReactiveMongoTemplate) ? new ReactiveOurs(this.seen, template) : this;
		}

		@Override
		public Publisher<Object> onBeforeConvert(Object entity, String collection) {
			this.seen.add(givesId(this.template));
			return Mono.just(entity);
		}

		@Override
		public Publisher<Object> onBeforeSave(Object entity, Document document, String collection) {
			this.seen.add(excludes(this.template));
			throw new Stop();
		}

		@Override
		public int getOrder() {
			return LOWEST_PRECEDENCE;
		}

	}

	record ReactiveUsers(List<Object> seen) implements ReactiveBeforeConvertCallback<Object> {

		@Override
		public Publisher<Object> onBeforeConvert(Object entity, String collection) {
			this.seen.add(USERS);
			return Mono.just(entity);
		}

	}

	/**
	 * Needs a template before other post-processors are there.
	 */
	record Early(Object template) implements BeanPostProcessor, PriorityOrdered {

		@Override
		public int getOrder() {
			return HIGHEST_PRECEDENCE;
		}

	}

	record Proxying(Object target) implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String name) {
			return (bean == this.target) ? proxyOf(bean) : bean;
		}

	}

	static class Stop extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

}
