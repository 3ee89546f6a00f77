package io.github.hilo.internal.counter;

import java.util.List;
import java.util.stream.LongStream;

import com.mongodb.client.MongoCollection;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.internal.engine.HiLoEngine;
import org.bson.BsonInt64;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Consecutive sequences whose counter stands below stored ids.
 */
@ExtendWith(OutputCaptureExtension.class)
class ConsecutiveAmongStoredIdsTests {

	private static final String MET = "is about to issue";

	private final TestDatabase database = new TestDatabase();

	@AfterEach
	void close() {
		this.database.close();
	}

	@Test
	void blockFindsRoomBehindSparseIds(CapturedOutput output) {
		store(LongStream.rangeClosed(1, 5_000).map((number) -> 1_000 * number));
		try (HiLoEngine engine = engine(1 << 20)) {
			long[] block = engine.generator().nextIds("orders", 2_000);
			assertThat(block[0]).isGreaterThan(5_000_000);
			assertThat(block[1_999] - block[0]).as("adjacent").isEqualTo(1_999);
			// Each range is twice as large as the one before, and each has finds for
			// numbers and for texts.
			assertThat(this.database.commands().kinds()).hasSizeLessThan(80);
		}
		assertThat(output.getOut().split(MET, -1)).hasSizeLessThan(4);
	}

	@Test
	void blockThatFindsNoRoomNamesWhatIsInItsWayAndDoesNotTryAgainAtOnce(CapturedOutput output) {
		store(LongStream.rangeClosed(1, 5_000).map((number) -> 1_000 * number));
		try (HiLoEngine engine = engine(4_096)) {
			HiLoIdGenerator generator = engine.generator();
			assertThatExceptionOfType(HiLoUnavailableException.class)
				.isThrownBy(() -> generator.nextIds("orders", 2_000))
				.withMessageContainingAll("a block of 2000 numbers or more: the last 4 ranges, of 4096 numbers each",
						"collection 'orders' has ", "000. Ask for smaller blocks");
			// Ends when what is left of the last range is returned.
			generator.release();
			long max = this.database.max("orders");
			this.database.commands().clear();
			for (int i = 0; i < 1_000; i++) {
				assertThatExceptionOfType(HiLoUnavailableException.class)
					.isThrownBy(() -> generator.nextIds("orders", 2_000));
			}
			assertThat(this.database.commands().all()).isEmpty();
			assertThat(this.database.max("orders")).isEqualTo(max);
			assertThat(generator.nextIds("orders", 100)).as("a smaller one").hasSize(100);
			assertThat(generator.nextId("orders")).isPositive();
		}
		assertThat(output.getOut().split(MET, -1)).hasSizeLessThan(4);
	}

	/**
	 * They cost what they cost other sequences.
	 */
	@Test
	void importedIdsArePassedInFewCommands() {
		store(LongStream.rangeClosed(1, 20_000));
		this.database.setMax("orders", new BsonInt64(0));
		try (HiLoEngine engine = engine(1 << 20)) {
			assertThat(engine.generator().nextId("orders")).isEqualTo(20_001);
			assertThat(this.database.commands().kinds()).hasSizeLessThan(60);
		}
	}

	private HiLoEngine engine(long maxSize) {
		return this.database.newEngine(new EngineSettings(TestDatabase.SETTINGS).withSequences(1, 32, maxSize)
			.withConsecutiveSequences()
			.settings());
	}

	private void store(LongStream numbers) {
		MongoCollection<Document> orders = this.database.client()
			.getDatabase(this.database.name())
			.getCollection("orders");
		List<Document> documents = numbers.mapToObj((number) -> new Document("_id", number)).toList();
		orders.insertMany(documents);
		this.database.setMax("orders", new BsonInt64(0));
		this.database.commands().clear();
	}

}
