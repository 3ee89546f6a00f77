package io.github.hilo.internal.sequence;

import java.time.Instant;
import java.util.Objects;

import io.github.hilo.internal.text.DocumentIdFormat;
import org.jspecify.annotations.Nullable;

/**
 * What a sequence looked like at one moment; numbers are counted since this process
 * started. The components' names are the fields of {@code /actuator/hilo}.
 *
 * @param nodeTag tag appended to its document ids, if it is not that of every sequence
 * @param identityPartsSeparator what stands between its name and a number, if it is not
 * that of every sequence
 * @param digits the least number of digits in its document ids, if it is not that of
 * every sequence
 * @param consecutive {@code true} if each number is a reservation of its own
 * @param range the range that numbers are taken from, if one is held
 * @param next the range that follows it, if it was reserved already
 * @param available whether ids can be issued: a number is held, or the latest reservation
 * did not fail
 * @param nextSize how many numbers a request would ask for now
 * @param failure why the latest reservation failed, if it did
 */
public record SequenceSnapshot(String document, @Nullable String nodeTag, @Nullable String identityPartsSeparator,
		@Nullable Integer digits, @Nullable Boolean consecutive, @Nullable Range range, @Nullable Range next,
		boolean available, long nextSize, long issued, long reserved, long returned, long reservations,
		@Nullable Failure failure) {

	/**
	 * Leaves out what is as for every sequence.
	 */
	public SequenceSnapshot besides(DocumentIdFormat usual) {
		return new SequenceSnapshot(this.document, usual.nodeTag().equals(this.nodeTag) ? null : this.nodeTag,
				usual.separator().equals(this.identityPartsSeparator) ? null : this.identityPartsSeparator,
				Objects.equals(usual.digits(), this.digits) ? null : this.digits, this.consecutive, this.range,
				this.next, this.available, this.nextSize, this.issued, this.reserved, this.returned, this.reservations,
				this.failure);
	}

	/**
	 * Returns how many numbers are held.
	 */
	public long remaining() {
		return remaining(this.range) + remaining(this.next);
	}

	private static long remaining(@Nullable Range range) {
		return (range != null) ? range.remaining() : 0;
	}

	/**
	 * A range that is held.
	 *
	 * @param last the last number issued from it, if any
	 * @param serverPrefix what stands before the number in a document id, if anything
	 */
	public record Range(long min, long max, @Nullable Long last, long remaining, Instant reservedAt,
			@Nullable String serverPrefix) {
	}

	/**
	 * A reservation that failed.
	 */
	public record Failure(Instant time, String message) {
	}

}
