package io.github.hilo.internal.sequence;

import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.store.RangeStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the copies of a process that the simulation makes: a copy that shares
 * something with the original would hide what two restored processes do.
 */
class ProcessCopyTests {

	private final FakeRangeStore store = new FakeRangeStore("shop");

	private final FakeRangeStore storeOfTheCopy = new FakeRangeStore("shop");

	private final HiLoEngine original = new EngineSettings(TestDatabase.SETTINGS).engine(this.store, new ManualTime());

	private final DeepCopy copier = new DeepCopy();

	@Test
	void copyRemembersAllAndSharesNothing() {
		LongStream.rangeClosed(1, 3).forEach((number) -> next(this.original, this.store));
		HiLoEngine copy = copy();
		assertThat(next(copy, this.storeOfTheCopy)).as("it goes on where the original is").isEqualTo(4);
		assertThat(next(copy, this.storeOfTheCopy)).isEqualTo(5);
		assertThat(next(this.original, this.store)).as("which does not notice").isEqualTo(4);
		assertThat(this.storeOfTheCopy.requests()).as("the copy holds the range, too").isEmpty();
		copy.sequence(this.storeOfTheCopy, "orders").release().join();
		assertThat(this.store.returns()).isEmpty();
		assertThat(this.storeOfTheCopy.returns()).hasSize(1);
	}

	@Test
	void callersThatWaitAreCopied() {
		this.store.hold();
		Waiter caller = this.original.sequence(this.store, "orders").ask(new Waiter(1, null, null));
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
		sequence.ask(new Waiter(100, null, null));
		CompletableFuture<?> unused = sequence.release();
		HiLoEngine copy = copy();
		DeepCopy again = new DeepCopy();
		HiLoEngine another = again.of(copy);
		assertThat(another).isNotSameAs(copy);
		assertThat(again.originals()).hasSizeGreaterThan(20).noneMatch(this.copier.originals()::contains);
	}

	private HiLoEngine copy() {
		this.copier.replace(this.store, this.storeOfTheCopy);
		return this.copier.of(this.original);
	}

	private static long next(HiLoEngine registry, RangeStore store) {
		return registry.sequence(store, "orders").placed(null).nextId();
	}

}
