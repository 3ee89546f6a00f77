package io.github.hilo.sample.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses requests that name a host which is not this machine or one of
 * {@code sample.allowed-hosts}. A foreign page whose name is made to lead here (DNS
 * rebinding) is of the same origin in the eyes of the browser, so that no cross-origin
 * rule stops it. Ports do not matter: a proxy or a container may map them.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class HostFilter extends OncePerRequestFilter {

	private final Set<String> hosts = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

	HostFilter(@Value("${sample.allowed-hosts}") Set<String> allowed) {
		this.hosts.addAll(Set.of("localhost", "127.0.0.1", "[::1]"));
		this.hosts.addAll(allowed);
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		// Otherwise a foreign page could show this one and have its buttons clicked.
		response.setHeader("X-Frame-Options", "DENY");
		response.setHeader("X-Content-Type-Options", "nosniff");
		if (this.hosts.contains(request.getServerName())) {
			chain.doFilter(request, response);
			return;
		}
		response.setStatus(HttpStatus.MISDIRECTED_REQUEST.value());
		response.setContentType(MediaType.TEXT_PLAIN_VALUE);
		response.setCharacterEncoding(StandardCharsets.UTF_8);
		response.getWriter()
			.println(
					"This shop answers requests to %s, not to %s. Start it with --sample.allowed-hosts=NAME to add a name."
						.formatted(String.join(", ", this.hosts), request.getServerName()));
	}

}
