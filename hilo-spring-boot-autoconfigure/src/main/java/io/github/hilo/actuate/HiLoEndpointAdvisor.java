package io.github.hilo.actuate;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.text.Names;
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
import org.springframework.util.ClassUtils;
import org.springframework.util.MimeType;

/**
 * Checks the arguments of requests to {@link HiLoEndpoint}, and says what is wrong: over
 * HTTP by a problem detail (RFC 9457), elsewhere by an exception. Internal.
 * <p>
 * A web request has the arguments of its path, its body and its query in one map, where
 * the later ones replace the earlier. So a rule that guards the path of a sequence would
 * guard nothing if the body could name another one.
 *
 * @hidden
 */
public final class HiLoEndpointAdvisor implements OperationInvokerAdvisor {

	private static final boolean SERVLET = ClassUtils.isPresent(
			"org.springframework.web.context.request.ServletRequestAttributes",
			HiLoEndpointAdvisor.class.getClassLoader())
			&& ClassUtils.isPresent("jakarta.servlet.http.HttpServletRequest",
					HiLoEndpointAdvisor.class.getClassLoader());

	private static final EndpointId ENDPOINT = EndpointId.of("hilo");

	private static final String SEQUENCE = "sequence";

	private static final String FLOOR = "floor";

	private static final Map<String, String> WANTED = Map.of(FLOOR,
			"Pass the highest number in use, a whole number from 1 to " + HiLoIdGenerator.MAX_FLOOR + ".", "database",
			"Pass the name of one database, or leave it out.", SEQUENCE, "Pass the name of one sequence in the path.");

	/**
	 * A conversion to long takes more: {@code 0x10}, {@code #10}, and digits of other
	 * scripts.
	 */
	private static final Pattern DIGITS = Pattern.compile("[0-9]+");

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
		return (context) -> context.canResolve(WebServerNamespace.class) ? answer(parameters, invoker, context)
				: invoke(invoker, context);
	}

	private static Object answer(OperationParameters parameters, OperationInvoker invoker, InvocationContext context) {
		try {
			if (SERVLET) {
				ServletRequests.requireUnambiguous();
			}
			requireOwnPath(context.getArguments());
			parameters.forEach((parameter) -> requireOneValue(parameter.getName(), context.getArguments()));
			Object answer = invoke(invoker, context);
			return (answer != null) ? answer : problem(WebEndpointResponse.STATUS_NOT_FOUND, "Not Found",
					"This process has not used a sequence of that name and database.");
		}
		catch (InvalidEndpointRequestException ex) {
			return problem(WebEndpointResponse.STATUS_BAD_REQUEST, "Bad Request", ex.getMessage());
		}
		catch (HiLoUnavailableException ex) {
			return problem(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, "Service Unavailable", ex.getMessage());
		}
		catch (HiLoDocumentException ex) {
			return problem(409, "Conflict", ex.getMessage());
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
				.map((name) -> "Parameter '" + name + "' is missing. " + WANTED.get(name))
				.collect(Collectors.joining(" ")), ex);
		}
		catch (ParameterMappingException ex) {
			throw wrong(ex.getParameter().getName(), ex.getValue(), ex);
		}
	}

	/**
	 * The path gives its parts as an array; a body or a query gives a text or a list.
	 */
	private static void requireOwnPath(Map<String, Object> arguments) {
		Object sequence = arguments.get(SEQUENCE);
		if (sequence != null && !(sequence instanceof String[])) {
			throw invalid(came(SEQUENCE, sequence) + " in the body or the query, but the path alone names the sequence."
					+ " Remove the parameter.", null);
		}
	}

	/**
	 * A conversion would take the first floor of several, and make one text of several
	 * databases.
	 */
	private static void requireOneValue(String name, Map<String, Object> arguments) {
		Object value = arguments.get(name);
		if (value instanceof Collection
				|| (name.equals(FLOOR) && value != null && !DIGITS.matcher(value.toString()).matches())) {
			throw wrong(name, value, null);
		}
	}

	private static InvalidEndpointRequestException wrong(String name, @Nullable Object value,
			@Nullable Throwable cause) {
		return invalid(came(name, value) + ", which is wrong. " + WANTED.get(name), cause);
	}

	private static String came(String name, @Nullable Object value) {
		return "Parameter '" + name + "' is " + Names.quoted(String.valueOf(value));
	}

	private static InvalidEndpointRequestException invalid(String message, @Nullable Throwable cause) {
		return new InvalidEndpointRequestException(message, message, cause);
	}

	/**
	 * A map, since the names of its keys do not follow the application's Jackson
	 * settings.
	 */
	private static WebEndpointResponse<Map<String, Object>> problem(int status, String title, @Nullable String detail) {
		Map<String, Object> problem = new LinkedHashMap<>();
		problem.put("title", title);
		problem.put("status", status);
		problem.put("detail", String.valueOf(detail));
		return new WebEndpointResponse<>(problem, status, PROBLEM);
	}

}
