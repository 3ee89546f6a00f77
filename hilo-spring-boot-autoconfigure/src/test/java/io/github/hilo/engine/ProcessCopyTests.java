package io.github.hilo.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.fixture.TestDatabase;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the copies of a process that the simulation makes: a copy that shares
 * something with the original would hide what two restored processes do.
 */
class ProcessCopyTests {

	private final FakeRangeStore store = new FakeRangeStore("shop");

	private final FakeRangeStore storeOfTheCopy = new FakeRangeStore("shop");

	private final SequenceRegistry original = new SequenceRegistry(TestDatabase.SETTINGS, new ManualTime(),
			EngineListener.NONE);

	private final List<Waiter> callers = new ArrayList<>();

	@Test
	void copyRemembersAllAndSharesNothing() {
		LongStream.rangeClosed(1, 3).forEach((number) -> next(this.original));
		SequenceRegistry copy = copy();
		assertThat(next(copy)).as("it goes on where the original is").isEqualTo(4);
		assertThat(next(copy)).isEqualTo(5);
		assertThat(next(this.original)).as("which does not notice").isEqualTo(4);
		assertThat(this.storeOfTheCopy.requests()).as("the copy holds the range, too").isEmpty();
		copy.release();
		assertThat(this.store.returns()).isEmpty();
		assertThat(this.storeOfTheCopy.returns()).hasSize(1);
	}

	@Test
	void callersThatWaitAreCopied() {
		this.store.hold();
		Waiter caller = this.original.sequence(this.store, "orders").ask(this.store, new Waiter(true));
		copy();
		assertThat(this.callers).hasSize(1).doesNotContain(caller);
		this.store.answer();
		assertThat(caller.isSettled()).isTrue();
		assertThat(this.callers.get(0).isSettled()).isFalse();
	}

	private SequenceRegistry copy() {
		return this.original.copy(this.storeOfTheCopy, this.callers::add);
	}

	private long next(SequenceRegistry registry) {
		return registry.sequence(this.store, "orders").nextId();
	}

}
