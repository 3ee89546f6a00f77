package io.github.hilo.mongodb;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Raises a counter to a floor, or creates it there; it is never lowered. The document is
 * read first:
 * <ul>
 * <li>It is missing: create it at the floor.</li>
 * <li>It is behind the floor: set {@code Max} to the floor, with a fresh
 * {@code Grant}.</li>
 * <li>It has reached the floor: set a fresh {@code Grant} where asked to, so that no
 * return that is under way can go back below the floor.</li>
 * <li>It is malformed: fail and change nothing.</li>
 * </ul>
 * Who loses a race reads again.
 */
final class CounterRaise {

	private final CounterSteps counter;

	private final long floor;

	private final boolean renew;

	/**
	 * Creates a raise.
	 * @param counter the counter
	 * @param floor what the counter has to reach
	 * @param renew whether returns that are under way have to be ruled out
	 */
	CounterRaise(CounterSteps counter, long floor, boolean renew) {
		this.counter = counter;
		this.floor = floor;
		this.renew = renew;
	}

	CompletionStage<Raised> run() {
		return this.counter.attempt(this.floor, () -> this.counter.read().thenCompose(this::from));
	}

	/**
	 * Raises the counter where it is known already.
	 * @param last where it stood, or {@code null} if it was missing
	 */
	CompletionStage<Raised> from(@Nullable MaxField last) {
		return (last != null) ? raise(last) : create();
	}

	private CompletionStage<Raised> create() {
		return this.counter.create(this.floor)
			.thenCompose(
					(created) -> created ? CompletableFuture.completedFuture(new Raised(null, this.floor)) : run());
	}

	private CompletionStage<Raised> raise(MaxField last) {
		CounterDocument document = this.counter.document();
		BsonValue grant = this.counter.freshGrant();
		Raised raised = new Raised(last.value(), Math.max(last.value(), this.floor));
		if (last.isDouble() || last.value() < this.floor) {
			return change(raised, last.isDouble() ? document.isDouble(last.value()) : document.behind(this.floor),
					CounterDocument.moveTo(raised.after(), grant));
		}
		return this.renew ? change(raised, document.countable(this.floor, 0), CounterDocument.renew(grant))
				: CompletableFuture.completedFuture(raised);
	}

	private CompletionStage<Raised> change(Raised raised, BsonDocument filter, BsonDocument update) {
		return this.counter.write(filter, update)
			.thenCompose((matched) -> matched ? CompletableFuture.completedFuture(raised) : run());
	}

	/**
	 * What became of the counter.
	 *
	 * @param before where it stood, or {@code null} if it was created
	 * @param after where it stands
	 */
	record Raised(@Nullable Long before, long after) {
	}

}
