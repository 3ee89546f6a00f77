package io.github.hilo.mongodb;

import java.io.EOFException;
import java.net.ConnectException;
import java.util.concurrent.CompletionException;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoSocketOpenException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ServerAddress;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Failures}.
 */
class FailuresTests {

	private static final String SELECTION = "Timed out while waiting for a server. Client view of cluster state is ";

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			servers=[{address=a, exception={x.Open: opening}, caused by {x.Refused: No way}}] | No way (Refused)
			servers=[{address=a, exception={x.Open: opening}}]                               | opening (Open)
			servers=[{exception={x.Open: o}, caused by {x.B: b}, caused by {x.Last: l}}]     | l (Last)
			servers=[{exception={x.Eof}}]                                                    | Eof
			servers=[{exception={x.A: one}}, {exception={x.A: one}}, {exception={x.B: two}}] | one (A), two (B)
			servers=[{exception={x.A: never closed                                           | never closed (A)
			""")
	void reasonIsTakenFromWhatTheDriverSaysOfItsServers(String servers, String reason) {
		assertThat(Failures.describe(new MongoTimeoutException(SELECTION + servers)))
			.isEqualTo(reason + "; " + SELECTION + servers);
	}

	@Test
	void selectionWithoutAnExceptionIsShownAsItIs() {
		String message = SELECTION + "{type=REPLICA_SET, servers=[{address=a:1, type=REPLICA_SET_SECONDARY}]";
		assertThat(Failures.describe(new MongoTimeoutException(message))).isEqualTo(message);
	}

	@Test
	void innermostCauseComesFirst() {
		MongoSocketOpenException failure = new MongoSocketOpenException("Exception opening socket",
				new ServerAddress("a"), new IllegalStateException("not yet", new ConnectException("No way")));
		assertThat(Failures.describe(new CompletionException(failure)))
			.isEqualTo("No way (ConnectException); Exception opening socket");
	}

	@Test
	void causeWithoutAMessageIsNamed() {
		assertThat(Failures.describe(new MongoInterruptedException("Ended", null))).isEqualTo("Ended");
		assertThat(Failures.describe(new IllegalStateException("Broken", new EOFException())))
			.isEqualTo("EOFException; Broken");
		assertThat(Failures.describe(new EOFException())).isEqualTo("EOFException");
	}

	@Test
	void causesInACircleEnd() {
		IllegalStateException first = new IllegalStateException("first");
		first.initCause(new IllegalStateException("second", first));
		assertThat(Failures.describe(first)).contains("first");
	}

	@Test
	void commandBehindAFailureIsShownByItsError() {
		MongoCommandException refused = new MongoCommandException(
				BsonDocument.parse("{ok: 0, errmsg: 'Authentication failed.', code: 18}"), new ServerAddress("a"));
		assertThat(Failures.describe(new IllegalStateException("Not now", refused)))
			.isEqualTo("Authentication failed. (code 18); Not now");
	}

	@Test
	void messageIsOneLineOf2000CharactersAtMost() {
		String shown = Failures.describe(new IllegalStateException("x".repeat(5_000), new ConnectException("No\nway")));
		assertThat(shown).startsWith("No\\u000away (ConnectException); xxx")
			.hasSizeBetween(2_000, 2_030)
			.endsWith("… (5027 characters)");
	}

}
