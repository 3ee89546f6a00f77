package io.github.hilo.mongodb;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.bson.BsonDocument;
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
	 * Raises the counter where it was read already.
	 * @param found the counter as it was, or {@code null} if it was missing
	 */
	CompletionStage<Raised> from(@Nullable BsonDocument found) {
		return (found != null) ? raise(found) : create();
	}

	private CompletionStage<Raised> create() {
		return this.counter.create(this.floor)
			.thenCompose(
					(created) -> created ? CompletableFuture.completedFuture(new Raised(null, this.floor)) : run());
	}

	private CompletionStage<Raised> raise(BsonDocument found) {
		CounterDocument document = this.counter.document();
		MaxField max = MaxField.of(found.get(CounterDocument.MAX));
		Raised raised = new Raised(max.value(), Math.max(max.value(), this.floor));
		return switch (max.kind()) {
			case MALFORMED -> CompletableFuture.failedFuture(this.counter.name().malformed(found));
			case REWRITABLE -> moveTo(raised, document.isDouble(max.value()));
			case COUNTABLE ->
				(max.value() < this.floor) ? moveTo(raised, document.behind(this.floor)) : reached(raised);
		};
	}

	private CompletionStage<Raised> reached(Raised raised) {
		return this.renew ? change(raised, this.counter.document().countable(this.floor, 0),
				CounterDocument.renew(this.counter.freshGrant())) : CompletableFuture.completedFuture(raised);
	}

	private CompletionStage<Raised> moveTo(Raised raised, BsonDocument filter) {
		return change(raised, filter, CounterDocument.moveTo(raised.after(), this.counter.freshGrant()));
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
