package io.github.hilo.actuate;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Refuses requests whose arguments Spring Boot would have to choose from: it takes a
 * parameter from the query rather than from the body, reads the body of a {@code POST}
 * alone, and takes empty parts out of a path.
 */
final class ServletRequests {

	private ServletRequests() {
	}

	static void requireUnambiguous() {
		if (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes) {
			HttpServletRequest request = attributes.getRequest();
			boolean hasQuery = request.getQueryString() != null;
			boolean hasBody = request.getContentLengthLong() > 0;
			if (request.getRequestURI().contains("//")) {
				throw invalid("A part of the path is empty. No sequence with such a name can be named in a path.");
			}
			if (hasBody && !request.getMethod().equals("POST")) {
				throw invalid("A " + request.getMethod() + " has no body. Put the parameters into the query.");
			}
			if (hasBody && hasQuery) {
				throw invalid("Parameters stand in the query and in the body. Put them into the body.");
			}
		}
	}

	private static InvalidEndpointRequestException invalid(String message) {
		return new InvalidEndpointRequestException(message, message);
	}

}
