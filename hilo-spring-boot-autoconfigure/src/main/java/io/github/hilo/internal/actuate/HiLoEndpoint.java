package io.github.hilo.internal.actuate;

import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;

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
 * {@link Endpoint @Endpoint} that shows the live ranges and, where the application allows
 * writing, returns them or raises a counter. Reading it takes no number and reserves no
 * range.
 */
// Of a map in a map, as its body has it, Spring infers no more than the outer one.
@RegisterReflectionForBinding(SequenceSnapshot.class)
@Endpoint(id = "hilo", defaultAccess = Access.READ_ONLY)
public final class HiLoEndpoint {

	private final HiLoEngine engine;

	private final DocumentIdFormat usual;

	public HiLoEndpoint(HiLoEngine engine, DocumentIdFormat usual) {
		this.engine = engine;
		this.usual = usual;
	}

	@ReadOperation
	public HiLoDescriptor sequences() {
		return describe(null, null);
	}

	/**
	 * Shows the sequences of one name, in every database that has it.
	 */
	@ReadOperation
	public @Nullable HiLoDescriptor sequence(@Selector(match = Match.ALL_REMAINING) String... sequence) {
		HiLoDescriptor found = describe(null, nameOf(sequence));
		return found.databases().isEmpty() ? null : found;
	}

	/**
	 * Returns the unused ranges of every sequence now. They stay usable: the next id
	 * reserves a range again.
	 */
	@DeleteOperation
	public @Nullable HiLoDescriptor release(@Nullable String database) {
		return release(database, null);
	}

	/**
	 * Returns the unused ranges of the sequences of one name now, and clears their
	 * failures: they are part of the health again once they are used.
	 */
	@DeleteOperation
	public @Nullable HiLoDescriptor releaseSequence(@Selector(match = Match.ALL_REMAINING) String[] sequence,
			@Nullable String database) {
		return release(database, nameOf(sequence));
	}

	/**
	 * Raises a counter, so that no number up to the floor is issued any more: by this
	 * process from now on, by others once they have used up the ranges that they hold. It
	 * is never lowered.
	 * @throws IllegalArgumentException if a parameter is wrong; the message names it
	 * @throws HiLoUnavailableException if it is unknown whether the counter was raised; a
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
					ex.getMessage() + ". Repeat the request: if the counter was raised, that does no harm", ex);
		}
	}

	private @Nullable HiLoDescriptor release(@Nullable String database, @Nullable String sequence) {
		this.engine.requireDatabase(database);
		boolean narrowed = database != null || sequence != null;
		if (narrowed && describe(database, sequence).databases().isEmpty()) {
			return null;
		}
		SortedSet<String> lost = this.engine.release(database, sequence);
		HiLoDescriptor left = describe(database, sequence);
		if (lost.isEmpty()) {
			return left;
		}
		if (lost.containsAll(left.databases().keySet())) {
			throw new HiLoUnavailableException("Unused numbers could not be returned to " + lost
					+ ". They become a gap, and ids go on behind them");
		}
		return new HiLoDescriptor(left.nodeTag(), left.identityPartsSeparator(), left.digits(), left.databases(), lost);
	}

	private HiLoDescriptor describe(@Nullable String database, @Nullable String sequence) {
		Map<String, Map<String, SequenceSnapshot>> databases = new TreeMap<>();
		this.engine.snapshot().forEach((name, sequences) -> {
			if (database == null || database.equals(name)) {
				Map<String, SequenceSnapshot> shown = new TreeMap<>(sequences);
				shown.keySet().removeIf((key) -> sequence != null && !sequence.equals(key));
				shown.replaceAll((key, snapshot) -> snapshot.besides(this.usual));
				if (!shown.isEmpty()) {
					databases.put(name, shown);
				}
			}
		});
		return new HiLoDescriptor(this.usual.nodeTag(), this.usual.separator(),
				(this.usual.digits() > 1) ? this.usual.digits() : null, databases, null);
	}

	private static String nameOf(String[] parts) {
		return String.join("/", parts);
	}

	/**
	 * Description of the generator.
	 *
	 * @param identityPartsSeparator what stands between a sequence's name and a number
	 * @param digits the least number of digits in document ids, if it is not 1
	 * @param databases the sequences by database and name
	 * @param unanswered the databases to which something could not be returned
	 */
	public record HiLoDescriptor(String nodeTag, String identityPartsSeparator, @Nullable Integer digits,
			Map<String, Map<String, SequenceSnapshot>> databases,
			@Nullable SortedSet<String> unanswered) implements OperationResponseBody {
	}

	public record RaiseDescriptor(String sequence, long max) implements OperationResponseBody {
	}

}
