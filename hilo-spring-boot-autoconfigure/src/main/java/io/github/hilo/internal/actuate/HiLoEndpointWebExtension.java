package io.github.hilo.internal.actuate;

import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.text.Names;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * {@link EndpointWebExtension @EndpointWebExtension} of {@link HiLoEndpoint} that
 * translates a failure into a status and a message.
 */
@EndpointWebExtension(endpoint = HiLoEndpoint.class)
public final class HiLoEndpointWebExtension {

	private static final int CONFLICT = 409;

	// A conversion to long would also accept 0x10, #10, and digits of other scripts.
	private static final Pattern DIGITS = Pattern.compile("[0-9]{1,19}");

	private final HiLoEndpoint endpoint;

	public HiLoEndpointWebExtension(HiLoEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	@ReadOperation
	public WebEndpointResponse<Object> sequence(@Selector(match = Match.ALL_REMAINING) String... sequence) {
		return respond(() -> this.endpoint.sequence(sequence));
	}

	@DeleteOperation
	public WebEndpointResponse<Object> release(@Nullable String database) {
		return respond(() -> this.endpoint.release(database));
	}

	@DeleteOperation
	public WebEndpointResponse<Object> releaseSequence(@Selector(match = Match.ALL_REMAINING) String[] sequence,
			@Nullable String database) {
		return respond(() -> this.endpoint.releaseSequence(sequence, database));
	}

	@WriteOperation
	public WebEndpointResponse<Object> raise(@Selector(match = Match.ALL_REMAINING) String[] sequence,
			@Nullable String floor, @Nullable String database) {
		return respond(() -> this.endpoint.raise(sequence, floorOf(floor), database));
	}

	private static WebEndpointResponse<Object> respond(Supplier<@Nullable Object> request) {
		try {
			Object body = request.get();
			return (body != null) ? new WebEndpointResponse<>(body) : error(WebEndpointResponse.STATUS_NOT_FOUND,
					"This process has not used a sequence of that name and database.");
		}
		catch (IllegalArgumentException ex) {
			return error(WebEndpointResponse.STATUS_BAD_REQUEST, ex.getMessage());
		}
		catch (HiLoUnavailableException ex) {
			return error(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, ex.getMessage());
		}
		catch (HiLoDocumentException ex) {
			return error(CONFLICT, ex.getMessage());
		}
		catch (HiLoExhaustedException ex) {
			return error(CONFLICT, ex.getMessage());
		}
	}

	private static WebEndpointResponse<Object> error(int status, @Nullable String message) {
		return new WebEndpointResponse<>(Map.of("error", String.valueOf(message)), status);
	}

	private static long floorOf(@Nullable String floor) {
		// No 19 digits overflow an unsigned number.
		long number = (floor != null && DIGITS.matcher(floor).matches()) ? Long.parseUnsignedLong(floor) : -1;
		if (number >= 0) {
			return number;
		}
		throw new IllegalArgumentException("Parameter 'floor' is " + ((floor != null) ? Names.quoted(floor) : "missing")
				+ ". Pass the highest number in use, a whole number from 1 to " + HiLoIdGenerator.MAX_NUMBER + ".");
	}

}
