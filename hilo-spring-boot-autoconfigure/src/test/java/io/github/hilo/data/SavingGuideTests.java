package io.github.hilo.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.mongodb.client.MongoCollection;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Exhaustive;
import io.github.hilo.fixture.RecordedCommands;
import io.github.hilo.fixture.TestApplications.TestApplication;
import io.github.hilo.fixture.TestApplications;
import io.github.hilo.fixture.Thorough;
import org.assertj.core.api.ThrowingConsumer;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.data.annotation.CreatedDate;
import org.springframework.data.annotation.Version;
import org.springframework.data.domain.Persistable;
import org.springframework.data.mongodb.config.EnableMongoAuditing;
import org.springframework.data.mongodb.config.EnableReactiveMongoAuditing;
import org.springframework.data.mongodb.core.BulkOperations.BulkMode;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;
import org.springframework.data.mongodb.repository.MongoRepository;
import org.springframework.data.mongodb.repository.ReactiveMongoRepository;
import org.springframework.data.mongodb.repository.support.MongoRepositoryFactory;
import org.springframework.data.mongodb.repository.support.ReactiveMongoRepositoryFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * The table of {@code docs/saving.md}, row by row, against what blocking and reactive
 * templates and repositories do.
 */
@Thorough
class SavingGuideTests {

	private static final Path GUIDE = Path.of("..", "docs", "saving.md");

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final Pattern ROW = Pattern.compile(
			"(?m)^\\| (`.+`) \\| (none|null|set) \\| (null|set|null or set) \\| (.+) \\| (.+) \\| ([1n]) \\| (.+) \\|$");

	private static final List<Save> SAVES = List.of(
			Save.ofOne("template.insert", (target, entity) -> target.template().insert(entity)),
			Save.ofMany("template.insert", (target, list) -> target.template().insert(list, target.type())),
			Save.ofMany("template.insertAll", (target, list) -> target.template().insertAll(list)),
			Save.ofOne("template.save", (target, entity) -> target.template().save(entity)),
			Save.ofMany("bulkOps().insert", (target,
					list) -> target.template().bulkOps(BulkMode.ORDERED, target.type()).insert(list).execute()),
			Save.ofOne("repository.insert", (target, entity) -> target.repository().insert(entity)),
			Save.ofMany("repository.insert", (target, list) -> target.repository().insert(list)),
			Save.ofOne("repository.save", (target, entity) -> target.repository().save(entity)),
			Save.ofMany("repository.saveAll", (target, list) -> target.repository().saveAll(list)),
			Save.reactiveOfOne("template.insert", (target, entity) -> target.app().reactiveTemplate().insert(entity)),
			Save.reactiveOfMany("template.insert",
					(target, list) -> target.app().reactiveTemplate().insert(list, target.type())),
			Save.reactiveOfMany("template.insertAll",
					(target, list) -> target.app().reactiveTemplate().insertAll(list)),
			Save.reactiveOfOne("template.save", (target, entity) -> target.app().reactiveTemplate().save(entity)),
			Save.reactiveOfMany("bulkOps().insert",
					(target, list) -> target.app()
						.reactiveTemplate()
						.bulkOps(BulkMode.ORDERED, target.type())
						.insert(list)
						.execute()),
			Save.reactiveOfOne("repository.insert", (target, entity) -> target.reactiveRepository().insert(entity)),
			Save.reactiveOfMany("repository.insert", (target, list) -> target.reactiveRepository().insert(list)),
			Save.reactiveOfOne("repository.save", (target, entity) -> target.reactiveRepository().save(entity)),
			Save.reactiveOfMany("repository.saveAll", (target, list) -> target.reactiveRepository().saveAll(list)));

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	private final ApplicationDatabase database = this.applications.database();

	private final RecordedCommands commands = new RecordedCommands();

	@Test
	void everyCallIsInTheTableOnceForEachEntity() throws IOException {
		Stream<String> all = SAVES.stream()
			.map(Save::call)
			.distinct()
			.flatMap((call) -> Stream.of("none, null", "none, set", "null, null", "null, set", "set, set")
				.filter((entity) -> !call.contains("insert") || !entity.startsWith("set"))
				.map((entity) -> call + ", " + entity));
		assertThat(rows().flatMap((row) -> row.calls()
			.flatMap((call) -> row.ids().map((id) -> String.join(", ", call, row.version(), id)))))
			.containsExactlyInAnyOrderElementsOf(all.toList());
	}

	@ParameterizedTest
	@MethodSource("rows")
	void isNewAndIsSent(Row row) {
		forEachSave(row, (save, target) -> {
			List<Object> entities = target.entities(save.entities());
			target.storeVersions(0, save.entities());
			boolean isNew = target.isNew(entities.get(0));
			assertThat(isNew ? "yes" : "no").isEqualTo(row.isNew());
			this.commands.clear();
			save.action().accept(target, entities);
			List<String> sent = this.commands.all()
				.stream()
				.filter((command) -> command.getString(command.getFirstKey()).getValue().equals(target.collection()))
				// Whether the ids of a range are free is no part of the save.
				.filter((command) -> !List.of("find", "aggregate").contains(command.getFirstKey()))
				.map(SavingGuideTests::kindOf)
				.toList();
			assertThat(sent).isNotEmpty().allMatch(sent.get(0)::equals);
			if (save.entities() > 1) {
				assertThat(sent).hasSize(row.commands().equals("n") ? save.entities() : 1);
			}
			assertThat(row.sends()).isEqualTo(sent.get(0));
			String ids = target.id().equals("set") ? "mine/\\d" : target.collection() + "/\\d+-A";
			assertThat(target.stored()).hasSize(save.entities())
				.allSatisfy((document) -> assertThat(document.getString("_id")).matches(ids))
				.allSatisfy((document) -> assertThat(document.containsKey("created")).isEqualTo(isNew));
		});
	}

	@ParameterizedTest
	@MethodSource("rows")
	@Exhaustive
	void happensToAStoredDocumentWithTheId(Row row) {
		forEachSave(row, (save, target) -> {
			String expected = row.onTaken(save.isReactive());
			if (row.version().equals("set")) {
				assertThat(expected).isEqualTo("%s if it has the same version, else %s",
						outcome(save, target, Target.VERSION), outcome(save, target, Target.VERSION + 1));
			}
			else {
				assertThat(expected).isEqualTo(outcome(save, target, Target.VERSION));
			}
		});
	}

	@Test
	void bulkOperationsStoreNoVersionSoThatTheDocumentCountsAsNew() {
		run((app) -> SAVES.stream().filter((save) -> save.call().equals("bulkOps().insert")).forEach((save) -> {
			Target target = new Target(app, "null", "set");
			target.clear();
			save.action().accept(target, target.entities(save.entities()));
			assertThat(target.stored()).hasSize(save.entities())
				.allSatisfy((document) -> assertThat(document).doesNotContainKey("version"));
			Object found = target.template().findAll(target.type()).get(0);
			assertThat(target.isNew(found)).isTrue();
			assertThatExceptionOfType(DuplicateKeyException.class).isThrownBy(() -> target.template().save(found));
		}));
	}

	@Test
	void sameMutableObjectTwiceHasOneId() {
		run((app) -> {
			Mutable same = new Mutable();
			assertThatExceptionOfType(DuplicateKeyException.class)
				.isThrownBy(() -> app.template().insert(List.of(same, same), Mutable.class));
			Mutable other = new Mutable();
			assertThatExceptionOfType(DuplicateKeyException.class).isThrownBy(
					() -> app.reactiveTemplate().insert(List.of(other, other), Mutable.class).blockLast(PATIENCE));
			Plain immutable = new Plain(null, "Ada", null);
			assertThat(app.template().insert(List.of(immutable, immutable), Plain.class)).hasSize(2);
		});
	}

	@Test
	void persistableDecidesWhetherItIsNew() {
		run((app) -> {
			this.commands.clear();
			repository(app, Selves.class).saveAll(List.of(new Self("a"), new Self("b")));
			assertThat(this.commands.kinds()).containsExactly("insert");
			assertThat(this.database.collection("self").find()).hasSize(2)
				.allSatisfy((document) -> assertThat(document).containsKey("created"));
		});
	}

	static Stream<Row> rows() throws IOException {
		return ROW.matcher(Files.readString(GUIDE))
			.results()
			.map((MatchResult row) -> new Row(row.group(1), row.group(2), row.group(3), row.group(4), row.group(5),
					row.group(6), row.group(7)));
	}

	/**
	 * Saves entities of which the first has, or gets, an id that is stored already, and
	 * tells in the words of the table what becomes of it.
	 */
	private static String outcome(Save save, Target target, long version) {
		target.clear();
		// From the first save on the sequence's ranges cover the type's ids.
		target.template().insert(target.entities(1).get(0));
		target.clear();
		List<Object> entities = target.entities(save.entities());
		String id = target.idOfFirst();
		target.storeVersions(1, save.entities());
		target.store(id, version);
		DataAccessException error = catchThrowableOfType(DataAccessException.class,
				() -> save.action().accept(target, entities));
		Object name = target.stored(id).get("name");
		if (error != null) {
			assertThat(name).isEqualTo("somebody else");
			return "`" + error.getClass().getSimpleName() + "`";
		}
		assertThat(name).isEqualTo("Ada");
		return "is replaced";
	}

	private static String kindOf(BsonDocument command) {
		if (!command.getFirstKey().equals("update")) {
			return "`" + command.getFirstKey() + "`";
		}
		boolean upsert = command.getArray("updates")
			.get(0)
			.asDocument()
			.getBoolean("upsert", BsonBoolean.FALSE)
			.getValue();
		return upsert ? "upsert" : "update";
	}

	private void forEachSave(Row row, SaveTest test) {
		run((app) -> SAVES.stream()
			.filter((save) -> row.calls().anyMatch(save.call()::equals))
			.forEach((save) -> row.ids().forEach((id) -> {
				Target target = new Target(app, row.version(), id);
				target.clear();
				try {
					test.run(save, target);
				}
				catch (AssertionError ex) {
					throw new AssertionError("number " + SAVES.indexOf(save) + ", " + save.call() + ", id " + id, ex);
				}
			})));
	}

	private void run(ThrowingConsumer<TestApplication> test) {
		TestApplications.run(this.applications.reactive(true)
			.withUserConfiguration(Auditing.class)
			.withBean(ApplicationDatabase.class, () -> this.database)
			.withBean(MongoClientSettingsBuilderCustomizer.class,
					() -> (settings) -> settings.addCommandListener(this.commands)),
				test);
	}

	private static <R extends MongoRepository<?, ?>> R repository(TestApplication app, Class<R> type) {
		MongoRepositoryFactory repositories = new MongoRepositoryFactory(app.template());
		repositories.setBeanClassLoader(SavingGuideTests.class.getClassLoader());
		return repositories.getRepository(type);
	}

	@FunctionalInterface
	private interface SaveTest {

		void run(Save save, Target target);

	}

	/**
	 * A row of the table.
	 */
	record Row(String call, String version, String id, String isNew, String sends, String commands, String onTaken) {

		Stream<String> calls() {
			return Stream.of(this.call.split(", ")).map((name) -> name.replace("`", ""));
		}

		String onTaken(boolean reactive) {
			String[] outcomes = this.onTaken.replace("*", "").split(", reactive ", -1);
			return outcomes[reactive ? outcomes.length - 1 : 0];
		}

		Stream<String> ids() {
			return Stream.of(this.id.split(" or "));
		}

	}

	/**
	 * A way to save some entities with one call.
	 */
	private record Save(String call, boolean isReactive, int entities, BiConsumer<Target, List<Object>> action) {

		static Save ofOne(String call, BiConsumer<Target, Object> action) {
			return new Save(call, false, 1, (target, entities) -> action.accept(target, entities.get(0)));
		}

		static Save ofMany(String call, BiConsumer<Target, List<Object>> action) {
			return new Save(call, false, 3, action);
		}

		static Save reactiveOfOne(String call, BiFunction<Target, Object, Publisher<?>> action) {
			return new Save(call, true, 1,
					(target, entities) -> Flux.from(action.apply(target, entities.get(0))).blockLast(PATIENCE));
		}

		static Save reactiveOfMany(String call, BiFunction<Target, List<Object>, Publisher<?>> action) {
			return new Save(call, true, 3,
					(target, entities) -> Flux.from(action.apply(target, entities)).blockLast(PATIENCE));
		}

	}

	/**
	 * Where entities of one kind are saved.
	 *
	 * @param version of what the entities are: {@code none}, {@code null} or {@code set}
	 * @param id of what the entities are: {@code null} or {@code set}
	 */
	private record Target(TestApplication app, String version, String id) {

		static final long VERSION = 3;

		MongoTemplate template() {
			return this.app.template();
		}

		@SuppressWarnings("unchecked")
		MongoRepository<Object, String> repository() {
			MongoRepository<?, String> repository = isVersioned()
					? SavingGuideTests.repository(this.app, Versioneds.class)
					: SavingGuideTests.repository(this.app, Plains.class);
			return (MongoRepository<Object, String>) repository;
		}

		@SuppressWarnings("unchecked")
		ReactiveMongoRepository<Object, String> reactiveRepository() {
			ReactiveMongoRepositoryFactory repositories = new ReactiveMongoRepositoryFactory(
					this.app.reactiveTemplate());
			repositories.setBeanClassLoader(SavingGuideTests.class.getClassLoader());
			ReactiveMongoRepository<?, String> repository = isVersioned()
					? repositories.getRepository(ReactiveVersioneds.class)
					: repositories.getRepository(ReactivePlains.class);
			return (ReactiveMongoRepository<Object, String>) repository;
		}

		boolean isNew(Object entity) {
			return this.app.bean(MongoMappingContext.class).getRequiredPersistentEntity(type()).isNew(entity);
		}

		@SuppressWarnings("unchecked")
		Class<Object> type() {
			return (Class<Object>) (Class<?>) (isVersioned() ? Versioned.class : Plain.class);
		}

		String collection() {
			return isVersioned() ? "versioned" : "plain";
		}

		List<Object> entities(int count) {
			return IntStream.range(0, count).mapToObj(this::entity).toList();
		}

		/**
		 * Returns the id that the first entity has, or gets from the next save.
		 */
		String idOfFirst() {
			return this.id.equals("set") ? idOf(0)
					: collection() + "/" + (this.app.generator().nextId(collection()) + 1) + "-A";
		}

		void clear() {
			documents().deleteMany(new org.bson.Document());
		}

		/**
		 * Stores what entities with a version replace.
		 */
		void storeVersions(int from, int to) {
			if (this.version.equals("set")) {
				IntStream.range(from, to).forEach((index) -> store(idOf(index), VERSION));
			}
		}

		void store(String id, long version) {
			documents()
				.insertOne(new org.bson.Document("_id", id).append("name", "somebody else").append("version", version));
		}

		org.bson.Document stored(String id) {
			return Objects.requireNonNull(documents().find(new org.bson.Document("_id", id)).first());
		}

		List<org.bson.Document> stored() {
			return documents().find().into(new ArrayList<>());
		}

		private boolean isVersioned() {
			return !this.version.equals("none");
		}

		private Object entity(int index) {
			String id = this.id.equals("set") ? idOf(index) : null;
			Long version = this.version.equals("set") ? VERSION : null;
			return isVersioned() ? new Versioned(id, version, "Ada", null) : new Plain(id, "Ada", null);
		}

		private static String idOf(int index) {
			return "mine/" + index;
		}

		private MongoCollection<org.bson.Document> documents() {
			return this.app.bean(ApplicationDatabase.class).collection(collection());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableMongoAuditing
	@EnableReactiveMongoAuditing
	static class Auditing {

	}

	@Document("plain")
	record Plain(@Nullable String id, String name, @CreatedDate @Nullable Instant created) {
	}

	@Document("mutable")
	static class Mutable {

		@Nullable String id;

	}

	@Document("versioned")
	record Versioned(@Nullable String id, @Version @Nullable Long version, String name,
			@CreatedDate @Nullable Instant created) {
	}

	@Document("self")
	static class Self implements Persistable<String> {

		private final String id;

		@CreatedDate
		@Nullable Instant created;

		Self(String id) {
			this.id = id;
		}

		@Override
		public String getId() {
			return this.id;
		}

		@Override
		public boolean isNew() {
			return true;
		}

	}

	interface Plains extends MongoRepository<Plain, String> {

	}

	interface Versioneds extends MongoRepository<Versioned, String> {

	}

	interface Selves extends MongoRepository<Self, String> {

	}

	interface ReactivePlains extends ReactiveMongoRepository<Plain, String> {

	}

	interface ReactiveVersioneds extends ReactiveMongoRepository<Versioned, String> {

	}

}
