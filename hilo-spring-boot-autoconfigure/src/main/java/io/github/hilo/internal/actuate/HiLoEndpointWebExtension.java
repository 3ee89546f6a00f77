package io.github.hilo.internal.actuate;

import java.math.BigInteger;
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
 * <p>
 * In Spring Boot, a parameter of the body or the query replaces the parameter of the path
 * with the same name, and several values are joined to one text. With that, a security
 * rule for the path of a sequence would not protect the sequence, because the query could
 * name another one. So the parameters here have the type {@code Object}, and a parameter
 * that is no single text is refused.
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
	public WebEndpointResponse<Object> sequence(@Selector(match = Match.ALL_REMAINING) Object sequence) {
		return respond(() -> this.endpoint.sequence(partsOf(sequence)));
	}

	@DeleteOperation
	public WebEndpointResponse<Object> release(@Nullable Object database) {
		return respond(() -> this.endpoint.release(textOf(database)));
	}

	@DeleteOperation
	public WebEndpointResponse<Object> releaseSequence(@Selector(match = Match.ALL_REMAINING) Object sequence,
			@Nullable Object database) {
		return respond(() -> this.endpoint.releaseSequence(partsOf(sequence), textOf(database)));
	}

	@WriteOperation
	public WebEndpointResponse<Object> raise(@Selector(match = Match.ALL_REMAINING) Object sequence,
			@Nullable Object floor, @Nullable Object database) {
		return respond(() -> this.endpoint.raise(partsOf(sequence), floorOf(floor), textOf(database)));
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

	private static String[] partsOf(Object sequence) {
		if (sequence instanceof String[] parts) {
			return parts;
		}
		throw wrong("sequence", sequence, "Name the sequence in the path alone.");
	}

	private static @Nullable String textOf(@Nullable Object database) {
		if (database == null || database instanceof String) {
			return (String) database;
		}
		throw wrong("database", database, "Pass the name of one database, or leave it out.");
	}

	private static long floorOf(@Nullable Object floor) {
		String digits = String.valueOf(floor);
		if (DIGITS.matcher(digits).matches()) {
			BigInteger number = new BigInteger(digits);
			if (number.bitLength() < Long.SIZE) {
				return number.longValue();
			}
		}
		throw wrong("floor", floor,
				"Pass the highest number in use, a whole number from 1 to " + HiLoIdGenerator.MAX_FLOOR + ".");
	}

	private static IllegalArgumentException wrong(String parameter, @Nullable Object value, String advice) {
		return new IllegalArgumentException("Parameter '" + parameter + "' is "
				+ ((value != null) ? Names.quoted(value.toString()) : "missing") + ". " + advice);
	}

}
