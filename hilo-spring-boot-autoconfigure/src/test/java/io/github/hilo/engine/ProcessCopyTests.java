package io.github.hilo.engine;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.store.RangeStore;
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
			new EngineEvents(List::of));

	private final DeepCopy copier = new DeepCopy();

	@Test
	void copyRemembersAllAndSharesNothing() {
		LongStream.rangeClosed(1, 3).forEach((number) -> next(this.original, this.store));
		SequenceRegistry copy = copy();
		assertThat(next(copy, this.storeOfTheCopy)).as("it goes on where the original is").isEqualTo(4);
		assertThat(next(copy, this.storeOfTheCopy)).isEqualTo(5);
		assertThat(next(this.original, this.store)).as("which does not notice").isEqualTo(4);
		assertThat(this.storeOfTheCopy.requests()).as("the copy holds the range, too").isEmpty();
		copy.releasing(null, null).ended().join();
		assertThat(this.store.returns()).isEmpty();
		assertThat(this.storeOfTheCopy.returns()).hasSize(1);
	}

	@Test
	void callersThatWaitAreCopied() {
		this.store.hold();
		Waiter caller = this.original.sequence(this.store, "orders").ask(new Waiter(true));
		copy();
		assertThat(this.copier.copiesOf(Waiter.class)).hasSize(1).doesNotContain(caller);
		this.store.answer();
		assertThat(caller.isSettled()).isTrue();
		assertThat(this.copier.copiesOf(Waiter.class).get(0).isSettled()).isFalse();
	}

	@Test
	void nothingThatIsCopiedIsSharedWithTheCopy() {
		next(this.original, this.store);
		this.store.hold();
		RangeSequence sequence = this.original.sequence(this.store, "orders");
		sequence.ask(new Waiter(new NumberBlock(100)));
		CompletableFuture<?> unused = sequence.raise(1_000);
		unused = sequence.release();
		SequenceRegistry copy = copy();
		DeepCopy again = new DeepCopy();
		SequenceRegistry another = again.of(copy);
		assertThat(another).isNotSameAs(copy);
		assertThat(again.originals()).hasSizeGreaterThan(20).doesNotContainAnyElementsOf(this.copier.originals());
	}

	private SequenceRegistry copy() {
		this.copier.replace(this.store, this.storeOfTheCopy);
		return this.copier.of(this.original);
	}

	private static long next(SequenceRegistry registry, RangeStore store) {
		return registry.sequence(store, "orders").nextId();
	}

}
