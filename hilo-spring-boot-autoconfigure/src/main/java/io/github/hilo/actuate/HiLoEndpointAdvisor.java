package io.github.hilo.actuate;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.invoke.MissingParametersException;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameter;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;
import org.springframework.boot.actuate.endpoint.invoke.ParameterMappingException;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.util.MimeType;

/**
 * Checks the arguments of requests to {@link HiLoEndpoint}, and says what is wrong: over
 * HTTP by a problem detail (RFC 9457), elsewhere by an exception. Internal.
 * <p>
 * A web request has the arguments of its path, its body and its query in one map, where
 * the later ones replace the earlier. So a rule that guards the path of a sequence would
 * guard nothing if the body could name another one.
 * <p>
 * Thread-safe: it keeps nothing that changes.
 *
 * @hidden
 */
public final class HiLoEndpointAdvisor implements OperationInvokerAdvisor {

	private static final EndpointId ENDPOINT = EndpointId.of("hilo");

	private static final String SEQUENCE = "sequence";

	private static final Map<String, String> WANTED = Map.of("floor",
			"Pass the highest number in use, a whole number from 1 to " + HiLoIdGenerator.MAX_FLOOR + ".", "database",
			"Pass the name of one database, or leave it out.", SEQUENCE, "Pass the name of one sequence in the path.");

	/**
	 * A conversion to long takes more: {@code 0x10}, {@code #10}, and digits of other
	 * scripts.
	 */
	private static final Pattern DIGITS = Pattern.compile("[0-9]+");

	private static final int MAX_LENGTH = 200;

	private static final MimeType PROBLEM = MimeType.valueOf("application/problem+json");

	/**
	 * Creates the advisor.
	 */
	public HiLoEndpointAdvisor() {
	}

	@Override
	public OperationInvoker apply(EndpointId endpointId, OperationType operationType, OperationParameters parameters,
			OperationInvoker invoker) {
		if (!endpointId.equals(ENDPOINT)) {
			return invoker;
		}
		return (context) -> context.canResolve(WebServerNamespace.class)
				? answer(operationType, parameters, invoker, context) : invoke(invoker, context);
	}

	private static @Nullable Object answer(OperationType operationType, OperationParameters parameters,
			OperationInvoker invoker, InvocationContext context) {
		try {
			requireOwnPath(parameters, context.getArguments());
			if (operationType != OperationType.READ) {
				requireKnownOnce(parameters, context.getArguments());
			}
			return invoke(invoker, context);
		}
		catch (InvalidEndpointRequestException ex) {
			return problem(WebEndpointResponse.STATUS_BAD_REQUEST, "Bad Request", ex);
		}
		catch (HiLoUnavailableException ex) {
			return problem(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, "Service Unavailable", ex);
		}
		catch (HiLoDocumentException ex) {
			return problem(409, "Conflict", ex);
		}
	}

	private static @Nullable Object invoke(OperationInvoker invoker, InvocationContext context) {
		try {
			return invoker.invoke(context);
		}
		catch (MissingParametersException ex) {
			throw invalid(ex.getMissingParameters()
				.stream()
				.map(OperationParameter::getName)
				.sorted()
				.map((name) -> "Parameter '" + name + "' is missing. " + wanted(name))
				.collect(Collectors.joining(" ")), ex);
		}
		catch (ParameterMappingException ex) {
			String name = ex.getParameter().getName();
			throw wrong(name, ex.getValue(), ex);
		}
	}

	/**
	 * The path gives its parts as an array; a body or a query gives a text or a list.
	 */
	private static void requireOwnPath(OperationParameters parameters, Map<String, Object> arguments) {
		Object sequence = arguments.get(SEQUENCE);
		if (!(sequence instanceof String[]) && isKnown(parameters, SEQUENCE)) {
			throw invalid(came(SEQUENCE, sequence) + " in the body or the query, but the path alone names the sequence."
					+ " Remove the parameter.", null);
		}
	}

	/**
	 * A misspelt database would be the default one, and a raise cannot be taken back.
	 */
	private static void requireKnownOnce(OperationParameters parameters, Map<String, Object> arguments) {
		arguments.forEach((name, value) -> {
			if (value instanceof Collection) {
				throw invalid(came(name, value) + ", which is more than one. " + wanted(name), null);
			}
			if (name.equals("floor") && value instanceof String text && !DIGITS.matcher(text).matches()) {
				throw wrong(name, value, null);
			}
			if (!isKnown(parameters, name)) {
				throw invalid("Parameter '" + printable(name) + "' is unknown; it is '"
						+ printable(String.valueOf(value)) + "'. Known are "
						+ parameters.stream()
							.map(OperationParameter::getName)
							.filter((known) -> !known.equals(SEQUENCE))
							.map((known) -> "'" + known + "'")
							.collect(Collectors.joining(", "))
						+ "; the path names the sequence.", null);
			}
		});
	}

	private static InvalidEndpointRequestException wrong(String name, @Nullable Object value,
			@Nullable Throwable cause) {
		return invalid(came(name, value) + ", which is wrong. " + wanted(name), cause);
	}

	private static boolean isKnown(OperationParameters parameters, String name) {
		return parameters.stream().anyMatch((parameter) -> parameter.getName().equals(name));
	}

	private static String came(String name, @Nullable Object value) {
		return "Parameter '" + name + "' is '" + printable(String.valueOf(value)) + "'";
	}

	private static String wanted(String name) {
		return WANTED.getOrDefault(name, "");
	}

	private static String printable(String text) {
		String printable = text.replaceAll("\\p{Cntrl}", "?");
		return (printable.length() > MAX_LENGTH) ? printable.substring(0, MAX_LENGTH) + "…" : printable;
	}

	private static InvalidEndpointRequestException invalid(String message, @Nullable Throwable cause) {
		return new InvalidEndpointRequestException(message, message, cause);
	}

	/**
	 * A map, since the names of its keys do not follow the application's Jackson
	 * settings.
	 */
	private static WebEndpointResponse<Map<String, Object>> problem(int status, String title, RuntimeException reason) {
		Map<String, Object> problem = new LinkedHashMap<>();
		problem.put("title", title);
		problem.put("status", status);
		problem.put("detail", String.valueOf(reason.getMessage()));
		return new WebEndpointResponse<>(problem, status, PROBLEM);
	}

}
