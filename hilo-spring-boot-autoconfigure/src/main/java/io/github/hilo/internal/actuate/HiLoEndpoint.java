package io.github.hilo.internal.actuate;

import java.util.Collections;
import java.util.Map;
import java.util.SortedSet;

import io.github.hilo.Arguments;
import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.sequence.SequenceSnapshot;
import io.github.hilo.internal.text.DocumentIdFormat;
import io.github.hilo.internal.text.Names;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * {@link Endpoint @Endpoint} that shows the current ranges and, if the application allows
 * writing, returns them or raises a counter. Reading takes no number and reserves no
 * range.
 */
// Spring does not infer the inner type of the body's nested map.
@RegisterReflectionForBinding(SequenceSnapshot.class)
@Endpoint(id = "hilo", defaultAccess = Access.READ_ONLY)
public final class HiLoEndpoint {

	private static final SortedSet<String> NONE = Collections.emptySortedSet();

	private final HiLoEngine engine;

	private final DocumentIdFormat usual;

	private final String assignIds;

	/**
	 * @param assignIds the value of {@code hilo.assign-ids}
	 */
	public HiLoEndpoint(HiLoEngine engine, DocumentIdFormat usual, String assignIds) {
		this.engine = engine;
		this.usual = usual;
		this.assignIds = assignIds;
	}

	@ReadOperation
	public HiLoDescriptor sequences() {
		return describe(null, null, NONE);
	}

	/**
	 * Shows the sequences of one name, in every database with such a sequence.
	 */
	@ReadOperation
	public @Nullable HiLoDescriptor sequence(@Selector(match = Match.ALL_REMAINING) String... sequence) {
		HiLoDescriptor found = describe(null, nameOf(sequence), NONE);
		return found.databases().isEmpty() ? null : found;
	}

	/**
	 * Returns the unused ranges of every sequence now. The sequences stay usable: the
	 * next id reserves a new range.
	 */
	@DeleteOperation
	public @Nullable HiLoDescriptor release(@Nullable String database) {
		return release(database, null);
	}

	/**
	 * Returns the unused ranges of the sequences of one name now, and clears their
	 * failures. Their next use decides about the health again.
	 */
	@DeleteOperation
	public @Nullable HiLoDescriptor releaseSequence(@Selector(match = Match.ALL_REMAINING) String[] sequence,
			@Nullable String database) {
		return release(database, nameOf(sequence));
	}

	/**
	 * Raises a counter; see {@code HiLoIdGenerator.ensureAtLeast}.
	 * @throws IllegalArgumentException if a parameter is wrong; the message names it
	 * @throws HiLoUnavailableException if the counter may or may not have been raised; a
	 * raise can be repeated
	 * @throws HiLoDocumentException if the counter document is malformed
	 * @throws HiLoExhaustedException if the counter stands beyond its end
	 */
	@WriteOperation
	public RaiseDescriptor raise(@Selector(match = Match.ALL_REMAINING) String[] sequence, long floor,
			@Nullable String database) {
		String name = Names.requireSequence(nameOf(sequence));
		this.engine.requireDatabase(database);
		Arguments.requireFloor(floor);
		try {
			return new RaiseDescriptor(name, this.engine.generator().forDatabase(database).ensureAtLeast(name, floor));
		}
		catch (HiLoUnavailableException ex) {
			throw new HiLoUnavailableException(
					ex.getMessage() + ". Repeat the request. This does no harm if the counter was raised", ex);
		}
	}

	private @Nullable HiLoDescriptor release(@Nullable String database, @Nullable String sequence) {
		this.engine.requireDatabase(database);
		boolean narrowed = database != null || sequence != null;
		if (narrowed && describe(database, sequence, NONE).databases().isEmpty()) {
			return null;
		}
		SortedSet<String> lost = this.engine.release(database, sequence);
		HiLoDescriptor left = describe(database, sequence, lost);
		if (!lost.isEmpty() && lost.containsAll(left.databases().keySet())) {
			throw new HiLoUnavailableException("Unused numbers could not be returned to " + lost
					+ ". They become a gap, and ids continue after them");
		}
		return left;
	}

	private HiLoDescriptor describe(@Nullable String database, @Nullable String sequence, SortedSet<String> lost) {
		Map<String, Map<String, SequenceSnapshot>> databases = this.engine.snapshot();
		databases.keySet().removeIf((name) -> database != null && !database.equals(name));
		databases.values().forEach((sequences) -> {
			sequences.keySet().removeIf((name) -> sequence != null && !sequence.equals(name));
			sequences.replaceAll((name, snapshot) -> snapshot.besides(this.usual));
		});
		databases.values().removeIf(Map::isEmpty);
		return new HiLoDescriptor(this.usual.nodeTag(), this.usual.separator(),
				(this.usual.digits() > 1) ? this.usual.digits() : null, this.assignIds, databases,
				lost.isEmpty() ? null : lost);
	}

	private static String nameOf(String[] parts) {
		return String.join("/", parts);
	}

	/**
	 * Description of the generator.
	 *
	 * @param digits the least number of digits in document ids, if it is not 1
	 * @param assignIds which types get ids: {@code all}, {@code annotated} or
	 * {@code none}
	 * @param unanswered the databases to which numbers could not be returned
	 */
	public record HiLoDescriptor(String nodeTag, String identityPartsSeparator, @Nullable Integer digits,
			String assignIds, Map<String, Map<String, SequenceSnapshot>> databases,
			@Nullable SortedSet<String> unanswered) implements OperationResponseBody {
	}

	public record RaiseDescriptor(String sequence, long max) implements OperationResponseBody {
	}

}
