package io.github.hilo.internal.sequence;

import java.time.Instant;
import java.util.Objects;

import io.github.hilo.internal.text.DocumentIdFormat;
import org.jspecify.annotations.Nullable;

/**
 * The state of a sequence at one moment. Numbers are counted since this process started.
 * The components have the names of the fields of {@code /actuator/hilo}. The tag, the
 * separator and the digits are {@code null} if they are those of every sequence.
 *
 * @param available whether ids can be issued: no failure is kept, or numbers are held and
 * covered in some place
 * @param nextSize how many numbers a request would ask for now
 * @param failure the latest failure of a reservation or find that no success has cleared
 */
public record SequenceSnapshot(String document, @Nullable String nodeTag, @Nullable String identityPartsSeparator,
		@Nullable Integer digits, @Nullable Boolean consecutive, @Nullable Range range, @Nullable Range next,
		boolean available, long nextSize, long issued, long reserved, long returned, long reservations,
		@Nullable Failure failure) {

	public SequenceSnapshot besides(DocumentIdFormat usual) {
		return new SequenceSnapshot(this.document, usual.nodeTag().equals(this.nodeTag) ? null : this.nodeTag,
				usual.separator().equals(this.identityPartsSeparator) ? null : this.identityPartsSeparator,
				Objects.equals(usual.digits(), this.digits) ? null : this.digits, this.consecutive, this.range,
				this.next, this.available, this.nextSize, this.issued, this.reserved, this.returned, this.reservations,
				this.failure);
	}

	public long remaining() {
		return remaining(this.range) + remaining(this.next);
	}

	private static long remaining(@Nullable Range range) {
		return (range != null) ? range.remaining() : 0;
	}

	public record Range(long min, long max, @Nullable Long last, long remaining, Instant reservedAt,
			@Nullable String serverPrefix) {
	}

	/**
	 * A failure.
	 *
	 * @param place where the find failed, or {@code null} if a reservation failed
	 */
	public record Failure(Instant time, String message, @Nullable String place) {
	}

}
