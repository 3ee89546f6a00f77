package io.github.hilo.internal.counter;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionException;

import com.mongodb.MongoCommandException;
import com.mongodb.ServerAddress;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.CounterModel;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Places;
import io.github.hilo.internal.store.RangeRequest;
import io.github.hilo.internal.store.TimeSource;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link CounterErrors}, with replies of MongoDB: each error of a command on
 * counters is reported at once, with what to do about it.
 */
class CounterErrorsTests {

	private final TestDatabase database = new TestDatabase();

	private final FaultyCommands commands = FaultyCommands.on(this.database);

	@AfterEach
	void close() {
		this.database.close();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					13    | not authorized on shop to execute command { findAndModify: "@hilo" } | Allow find, insert and update
					73    | Invalid namespace specified 'shop.@hilo.'                            | a name that a collection can have
					121   | Document failed validation                                           | a validator that no counter passes
					166   | Namespace shop.@hilo is a view, not a collection                     | It is a view
					10003 | Cannot change the size of a document in a capped collection: 40 != 60 | It is a capped collection
					14031 | Failed to write because disk is full                                 | Make room on the disk
					11000 | E11000 duplicate key error collection: shop.@hilo index: name_1 dup key: { name: null } | a unique index
					""")
	void errorOfACollectionIsReportedAtOnceWithWhatToDo(int code, String message, String advice) {
		this.commands.failWrite(false, () -> {
		}, CounterModel.failure(code, message));
		assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(this::reserve)
			.withMessageContainingAll("No range for sequence 'orders'", message.substring(0, 20),
					"Counters are in collection '@hilo'", advice)
			.withCauseInstanceOf(MongoCommandException.class);
		assertThat(reserve()).as("is not remembered").isEqualTo(32);
	}

	/**
	 * Older servers name the index in the message alone.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "{code: 11000, errmsg: 'E11000 duplicate key error index: _id_ dup key: { : \"s\" }'}",
			"{code: 11000, errmsg: 'E11000 duplicate key', keyPattern: {_id: 1}, keyValue: {_id: 's'}}" })
	void duplicateIdIsARace(String reply) {
		this.commands.failWrite(false, () -> {
		}, new MongoCommandException(BsonDocument.parse(reply), new ServerAddress()));
		assertThat(reserve()).isEqualTo(32);
	}

	private long reserve() {
		Deadline deadline = new Deadline(Duration.ofSeconds(10), TimeSource.SYSTEM);
		try {
			return TestStores.over(this.database.name(), this.commands)
				.reserve("orders", new RangeRequest(32, 32, 0, true, Places.NONE, deadline), (repair) -> {
				})
				.toCompletableFuture()
				.join()
				.max();
		}
		catch (CompletionException ex) {
			throw (RuntimeException) Objects.requireNonNull(ex.getCause());
		}
	}

}
