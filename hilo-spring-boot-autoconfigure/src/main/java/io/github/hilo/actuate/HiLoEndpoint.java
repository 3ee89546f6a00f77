package io.github.hilo.actuate;

import java.util.Map;
import java.util.TreeMap;

import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.engine.SequenceSnapshot;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * {@link Endpoint @Endpoint} that shows the live ranges and, where the application allows
 * writing, returns them or raises a counter. Reading it takes no number and reserves no
 * range.
 */
@Endpoint(id = "hilo", defaultAccess = Access.READ_ONLY)
public final class HiLoEndpoint {

	private final HiLoEngine engine;

	private final String nodeTag;

	private final String identityPartsSeparator;

	/**
	 * Creates the endpoint.
	 * @param engine holds the sequences to show
	 * @param nodeTag tag appended to document ids, or an empty string
	 * @param identityPartsSeparator what stands between a sequence's name and a number
	 */
	public HiLoEndpoint(HiLoEngine engine, String nodeTag, String identityPartsSeparator) {
		this.engine = engine;
		this.nodeTag = nodeTag;
		this.identityPartsSeparator = identityPartsSeparator;
	}

	/**
	 * Shows every sequence.
	 * @return the sequences by database and name
	 */
	@ReadOperation
	public HiLoDescriptor sequences() {
		return describe(null, null);
	}

	/**
	 * Shows the sequences of one name, in every database that has it.
	 * @param sequence the name's parts, as the path separates them
	 * @return the sequences by database, or {@code null} if there is none of that name
	 */
	@ReadOperation
	public @Nullable HiLoDescriptor sequence(@Selector(match = Match.ALL_REMAINING) String... sequence) {
		HiLoDescriptor found = describe(null, nameOf(sequence));
		return found.databases().isEmpty() ? null : found;
	}

	/**
	 * Returns the unused ranges of every sequence now. They stay usable: the next id
	 * reserves a range again.
	 * @param database the sequences' database, or {@code null} for every one
	 * @return the sequences, without what went back
	 */
	@DeleteOperation
	public WebEndpointResponse<HiLoDescriptor> release(@Nullable String database) {
		return release(database, null);
	}

	/**
	 * Returns the unused ranges of the sequences of one name now.
	 * @param sequence the name's parts, as the path separates them
	 * @param database the sequences' database, or {@code null} for every one that has it
	 * @return the sequences, without what went back, or status 404 if there is none
	 */
	@DeleteOperation
	public WebEndpointResponse<HiLoDescriptor> releaseSequence(@Selector(match = Match.ALL_REMAINING) String[] sequence,
			@Nullable String database) {
		return release(database, nameOf(sequence));
	}

	/**
	 * Raises a counter, so that no number up to the floor is issued any more: by this
	 * process from now on, by others once they have used up the ranges that they hold. It
	 * is never lowered.
	 * @param sequence the name's parts, as the path separates them
	 * @param floor the highest number in use
	 * @param database the sequence's database, or {@code null} for the default one
	 * @return where the counter stands
	 */
	@WriteOperation
	public RaiseDescriptor raise(@Selector(match = Match.ALL_REMAINING) String[] sequence, long floor,
			@Nullable String database) {
		String name = nameOf(sequence);
		try {
			return new RaiseDescriptor(name, this.engine.raise(database, name, floor));
		}
		catch (IllegalArgumentException ex) {
			String message = String.valueOf(ex.getMessage());
			throw new InvalidEndpointRequestException(message, message);
		}
	}

	private WebEndpointResponse<HiLoDescriptor> release(@Nullable String database, @Nullable String sequence) {
		this.engine.release(database, sequence);
		HiLoDescriptor released = describe(database, sequence);
		boolean unknown = (database != null || sequence != null) && released.databases().isEmpty();
		return unknown ? new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND)
				: new WebEndpointResponse<>(released);
	}

	private HiLoDescriptor describe(@Nullable String database, @Nullable String sequence) {
		Map<String, Map<String, SequenceSnapshot>> databases = new TreeMap<>();
		this.engine.snapshot().forEach((name, sequences) -> {
			if (database == null || database.equals(name)) {
				Map<String, SequenceSnapshot> shown = new TreeMap<>(sequences);
				shown.keySet().removeIf((key) -> sequence != null && !sequence.equals(key));
				if (!shown.isEmpty()) {
					databases.put(name, shown);
				}
			}
		});
		return new HiLoDescriptor(this.nodeTag, this.identityPartsSeparator, databases);
	}

	private static String nameOf(String[] parts) {
		return String.join("/", parts);
	}

	/**
	 * Description of the generator.
	 *
	 * @param nodeTag tag appended to document ids
	 * @param identityPartsSeparator what stands between a sequence's name and a number
	 * @param databases the sequences by database and name
	 */
	public record HiLoDescriptor(String nodeTag, String identityPartsSeparator,
			Map<String, Map<String, SequenceSnapshot>> databases) implements OperationResponseBody {
	}

	/**
	 * Description of a counter that was raised.
	 *
	 * @param sequence the sequence's name
	 * @param max where the counter stands, at least at the floor
	 */
	public record RaiseDescriptor(String sequence, long max) implements OperationResponseBody {
	}

}
