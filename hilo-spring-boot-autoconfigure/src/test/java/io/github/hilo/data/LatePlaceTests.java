package io.github.hilo.data;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoMappingException;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.autoconfigure.HiLoMetricsAutoConfiguration;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.DecoratedGenerator;
import io.github.hilo.fixture.KeptDocuments;
import io.github.hilo.fixture.TestApplications;
import io.github.hilo.fixture.TestApplications.TestApplication;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import io.github.hilo.reactive.ReactiveHiLoSequence;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.assertj.core.api.ThrowingConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.util.Assert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Types that no scan has found: their places count from the first save or call on, for
 * ranges that are held, too, and who merely reads them claims nothing.
 */
class LatePlaceTests {

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	private final ApplicationDatabase database = this.applications.database();

	private final KeptDocuments others = new KeptDocuments(this.database);

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void saveByAGeneratorThatWrapsOursReplacesNothing(boolean reactive) {
		this.database.setCounter("shared", 0L);
		this.database.setCounter("texts", 0L);
		this.others.store("b", 2L, 4L);
		this.others.store("ctext", "texts/2-A");
		run(reactive, (app) -> {
			assertThat(((A) save(app, reactive, new A(null))).id()).isEqualTo(1);
			assertThat(((B) save(app, reactive, new B(null))).id()).isEqualTo(5);
			assertThat(((A) save(app, reactive, new A(null))).id()).isEqualTo(6);
			save(app, reactive, new AText(null));
			assertThat(((CText) save(app, reactive, new CText(null))).id()).isEqualTo("texts/3-A");
		}, decorated(reactive));
		this.others.requireKept(5);
	}

	@Test
	void callByNameNeedsThePlaceOfATypeThatWasSavedOrReadSinceItsRange() {
		this.database.setCounter("shared", 0L);
		this.others.store("b", 2L, 4L);
		this.others.store("a", 7L);
		this.applications.run((app) -> {
			assertThat(app.generator().nextId("shared")).isEqualTo(1);
			app.template().find(new Query(), B.class);
			assertThat(app.generator().nextId("shared")).as("read").isEqualTo(5);
			assertThat(app.generator().nextId("shared")).isEqualTo(6);
			app.template().save(new A(null));
			assertThat(app.generator().nextId("shared")).as("saved").isEqualTo(9);
		});
		this.others.requireKept(1);
	}

	@Test
	void propertyAndTheCollectionOfAnExpressionCount() {
		this.database.setCounter("shared", 0L);
		this.database.collection("numbered").insertOne(new org.bson.Document("_id", "x").append("number", 3L));
		this.others.store("north_a", 6L);
		System.setProperty("late.region", "north");
		this.applications.run((app) -> {
			assertThat(app.generator().nextId("shared")).isEqualTo(1);
			assertThat(app.template().save(new Numbered("y", null)).number()).isEqualTo(4);
			assertThat(app.template().save(new ByRegion(null)).id()).isEqualTo(7);
			assertThat(app.generator().nextId("shared")).isEqualTo(8);
		});
	}

	/**
	 * The counter of a field in the collection of an expression starts above what is
	 * stored there.
	 */
	@Test
	void counterStartsAboveThePropertyOfATypeWhoseCollectionIsAnExpression() {
		System.setProperty("late.region", "south");
		this.database.collection("south_bills").insertOne(new org.bson.Document("_id", "x").append("number", 7L));
		this.applications.run((app) -> assertThat(app.template().save(new Bill("y", null)).number()).isEqualTo(8));
	}

	@Test
	void typeThatCouldNotBeNamedAtTheStartIsCheckedOnceItCan() {
		AtomicBoolean tenant = new AtomicBoolean();
		this.database.setCounter("T-ticket", 39L);
		this.others.store("ticket", 40L);
		TestApplications
			.run(this.database.contextRunner().withBean(HiLoNamingStrategy.class, () -> (type, collection) -> {
				Assert.state(tenant.get(), "no tenant");
				return "T-" + collection;
			}), (app) -> {
				app.template().getConverter().getMappingContext().getPersistentEntity(Ticket.class);
				assertThat(app.generator().nextId("other")).isEqualTo(1);
				tenant.set(true);
				assertThat(app.generator().nextId("T-ticket")).isEqualTo(41);
			});
		this.others.requireKept(0);
	}

	/**
	 * By save and by type, blocking and reactive: an entity goes on when its summary is
	 * read, and the summary's own save is refused.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void readOfASummaryStopsNoSaveOfItsEntity(boolean reactive) {
		MeterRegistry meters = new SimpleMeterRegistry();
		run(reactive, (app) -> {
			save(app, reactive, new Invoice(null));
			if (reactive) {
				app.reactiveTemplate().find(new Query(), Summary.class).collectList().block();
			}
			else {
				app.template().find(new Query(), Summary.class);
			}
			for (int i = 0; i < 5; i++) {
				assertThat(((Invoice) save(app, reactive, new Invoice(null))).id()).isEqualTo(2L * i + 2);
				assertThat(reactive ? app.reactiveGenerator().nextId(Invoice.class).block()
						: app.generator().nextId(Invoice.class))
					.isEqualTo(2L * i + 3);
			}
			assertThatExceptionOfType(HiLoMappingException.class)
				.isThrownBy(() -> save(app, reactive, new Summary(null)))
				.withMessageContainingAll(Invoice.class.getName(), Summary.class.getName(), "'INV'", "'invoices'");
			assertThatExceptionOfType(HiLoMappingException.class).isThrownBy(() -> {
				Object unused = reactive ? app.reactiveGenerator().nextId(Summary.class).block()
						: app.generator().nextId(Summary.class);
			});
			assertThat(meters.get("hilo.reservation.failures")
				.tags("kind", "mapping", "sequence", "invoices")
				.counter()
				.count()).isEqualTo(2);
		}, (runner) -> runner.withBean(MeterRegistry.class, () -> meters)
			.withConfiguration(AutoConfigurations.of(HiLoMetricsAutoConfiguration.class)), "hilo.range.max-size=2",
				"hilo.range.initial-size=2");
	}

	/**
	 * A handle claims nothing until it is used.
	 */
	@Test
	void handleClaimsNothing() {
		this.applications.run((app) -> {
			app.generator().sequence(Summary.class);
			assertThat(app.template().save(new Invoice(null)).id()).isEqualTo(1);
			assertThatExceptionOfType(HiLoMappingException.class)
				.isThrownBy(() -> app.generator().sequence(Summary.class).nextId());
		});
	}

	private static Object save(TestApplication app, boolean reactive, Object entity) {
		Object saved = reactive ? app.reactiveTemplate().save(entity).block() : app.template().save(entity);
		assertThat(saved).isNotNull();
		return saved;
	}

	private static UnaryOperator<ApplicationContextRunner> decorated(boolean reactive) {
		return (runner) -> runner.withBean(BeanPostProcessor.class, () -> reactive ? new DecoratedReactive()
				: new DecoratedGenerator.Replacing((generator) -> new DecoratedGenerator(generator, (ids) -> ids)));
	}

	private void run(boolean reactive, ThrowingConsumer<TestApplication> test,
			UnaryOperator<ApplicationContextRunner> change, String... properties) {
		ApplicationContextRunner runner = reactive ? this.applications.reactive(false) : this.database.contextRunner();
		TestApplications.run(change.apply(runner), test, properties);
	}

	/**
	 * Wraps the reactive generator, so that saves ask it by name.
	 */
	private static final class DecoratedReactive implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String name) {
			return (bean instanceof ReactiveHiLoIdGenerator generator) ? new Wrapped(generator) : bean;
		}

	}

	private record Wrapped(ReactiveHiLoIdGenerator generator) implements ReactiveHiLoIdGenerator {

		@Override
		public ReactiveHiLoSequence sequence(Class<?> entityType) {
			return this.generator.sequence(entityType);
		}

		@Override
		public ReactiveHiLoSequence sequence(String sequence) {
			return this.generator.sequence(sequence);
		}

		@Override
		public ReactiveHiLoIdGenerator forDatabase(@Nullable String database) {
			return new Wrapped(this.generator.forDatabase(database));
		}

		@Override
		public Mono<Void> release() {
			return this.generator.release();
		}

	}

	@Document("a")
	@HiLo("shared")
	record A(@Id @Nullable Long id) {
	}

	@Document("b")
	@HiLo("shared")
	record B(@Id @Nullable Long id) {
	}

	@Document("atext")
	@HiLo("texts")
	record AText(@Id @Nullable String id) {
	}

	@Document("ctext")
	@HiLo("texts")
	record CText(@Id @Nullable String id) {
	}

	@Document("numbered")
	record Numbered(@Id String id, @HiLo("shared") @Nullable Long number) {
	}

	@Document("#{T(java.lang.System).getProperty('late.region') + '_a'}")
	@HiLo("shared")
	record ByRegion(@Id @Nullable Long id) {
	}

	@Document("#{T(java.lang.System).getProperty('late.region') + '_bills'}")
	record Bill(@Id String id, @HiLo @Nullable Long number) {
	}

	@Document
	record Ticket(@Id @Nullable Long id) {
	}

	@Document("invoices")
	@HiLo("INV")
	record Invoice(@Id @Nullable Long id) {
	}

	@Document("invoices")
	record Summary(@Id @Nullable Long id) {
	}

}
