package io.github.hilo.autoconfigure;

import java.io.Serializable;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import org.springframework.data.rest.webmvc.spi.BackendIdConverter;

/**
 * Writes {@code String} ids that are assigned here as one segment of a path in the URLs
 * of Spring Data REST: {@code orders/54-A} becomes {@code orders~~54-A}.
 * <p>
 * Servers such as Tomcat refuse an encoded {@code /}. RFC 3986, section 3.3, allows
 * {@code ~} and {@code !} in a segment. So if an id contains {@code /}, {@code ~~} or
 * {@code ~!}, the converter writes {@code ~~} for {@code /} and {@code ~!} for {@code ~}.
 * Every other id stays as it is. No two ids have the same URL.
 */
final class HiLoBackendIdConverter implements BackendIdConverter {

	private static final Pattern CODE = Pattern.compile("~[~!]");

	private final Predicate<Class<?>> supported;

	HiLoBackendIdConverter(Predicate<Class<?>> supported) {
		this.supported = supported;
	}

	@Override
	public boolean supports(Class<?> type) {
		return this.supported.test(type);
	}

	@Override
	public String toRequestId(Serializable id, Class<?> entityType) {
		String text = id.toString();
		return (text.contains("/") || CODE.matcher(text).find()) ? text.replace("~", "~!").replace("/", "~~") : text;
	}

	@Override
	public String fromRequestId(String segment, Class<?> entityType) {
		return CODE.matcher(segment).replaceAll((code) -> code.group().equals("~~") ? "/" : "~");
	}

}
