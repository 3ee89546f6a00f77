package io.github.hilo.actuate;

import java.util.Map;
import java.util.TreeMap;

import io.github.hilo.DefaultHiLoIdGenerator;
import io.github.hilo.SequenceSnapshot;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;

/**
 * {@link Endpoint @Endpoint} that shows the live ranges. Reading it takes no number and
 * reserves no range.
 */
@Endpoint(id = "hilo", defaultAccess = Access.READ_ONLY)
public final class HiLoEndpoint {

	private final DefaultHiLoIdGenerator generator;

	private final String nodeTag;

	private final String identityPartsSeparator;

	/**
	 * Creates the endpoint.
	 * @param generator the generator to show
	 * @param nodeTag tag appended to document ids, or an empty string
	 * @param identityPartsSeparator what stands between a sequence's name and a number
	 */
	public HiLoEndpoint(DefaultHiLoIdGenerator generator, String nodeTag, String identityPartsSeparator) {
		this.generator = generator;
		this.nodeTag = nodeTag;
		this.identityPartsSeparator = identityPartsSeparator;
	}

	/**
	 * Shows every sequence.
	 * @return the sequences by database and name
	 */
	@ReadOperation
	public HiLoDescriptor sequences() {
		return describe(this.generator.snapshot());
	}

	/**
	 * Shows the sequences of one name, in every database that has it.
	 * @param sequence the name's parts, as the path separates them
	 * @return the sequences by database, or {@code null} if there is none of that name
	 */
	@ReadOperation
	public @Nullable HiLoDescriptor sequence(@Selector(match = Match.ALL_REMAINING) String... sequence) {
		String name = String.join("/", sequence);
		Map<String, Map<String, SequenceSnapshot>> databases = new TreeMap<>();
		this.generator.snapshot().forEach((database, sequences) -> {
			SequenceSnapshot snapshot = sequences.get(name);
			if (snapshot != null) {
				databases.put(database, Map.of(name, snapshot));
			}
		});
		return databases.isEmpty() ? null : describe(databases);
	}

	private HiLoDescriptor describe(Map<String, Map<String, SequenceSnapshot>> databases) {
		return new HiLoDescriptor(this.nodeTag, this.identityPartsSeparator, databases);
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

}
