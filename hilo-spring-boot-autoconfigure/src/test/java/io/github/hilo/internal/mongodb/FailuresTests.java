package io.github.hilo.internal.mongodb;

import java.io.EOFException;
import java.net.ConnectException;
import java.util.concurrent.CompletionException;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoSocketOpenException;
import com.mongodb.ServerAddress;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Failures}.
 */
class FailuresTests {

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
	void commandBehindAFailureIsShownByItsError() {
		MongoCommandException refused = new MongoCommandException(
				BsonDocument.parse("{ok: 0, errmsg: 'Authentication failed.', code: 18}"), new ServerAddress("a"));
		assertThat(Failures.describe(new IllegalStateException("Not now", refused)))
			.isEqualTo("code 18: Authentication failed.; Not now");
	}

	@Test
	void replyOfAServerIsShownByItsNameAndWithoutTheCommand() {
		MongoCommandException refused = new MongoCommandException(BsonDocument.parse("""
				{ok: 0, code: 13, codeName: 'Unauthorized', errmsg: 'not authorized on shop to execute command \
				{ findAndModify: "@hilo", query: { _id: "Raven/HiLo/orders" }, lsid: { id: UUID("0") }, txnNumber: 1 }'}
				"""), new ServerAddress("a"));
		assertThat(Failures.describe(refused))
			.isEqualTo("Unauthorized: not authorized on shop to execute command { findAndModify … }");
	}

	@Test
	void messageIsOneLineOf2000CharactersAtMost() {
		String shown = Failures.describe(new IllegalStateException("x".repeat(5_000), new ConnectException("No\nway")));
		assertThat(shown).startsWith("No\\u000away (ConnectException); xxx")
			.hasSizeBetween(2_000, 2_030)
			.endsWith("… (5027 characters)");
	}

}
