package io.github.hilo.rest;

import java.io.Serializable;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import org.springframework.data.rest.webmvc.spi.BackendIdConverter;

/**
 * Writes the {@code String} ids of types that get them here as one segment of a path in
 * the URLs of Spring Data REST, whose resources have the path {@code /<collection>/{id}}.
 * Internal.
 * <p>
 * RFC 3986, section 3.3, ends a segment at a {@code /}, and servers such as Tomcat refuse
 * an encoded one. It allows {@code ~} and {@code !}, so these stand for what it does not:
 * <table border="1">
 * <caption>In an id that contains {@code /}, {@code ~~} or {@code ~!}</caption>
 * <tr>
 * <th>the id has</th>
 * <th>the URL has</th>
 * </tr>
 * <tr>
 * <td>{@code /}</td>
 * <td>{@code ~~}</td>
 * </tr>
 * <tr>
 * <td>{@code ~}</td>
 * <td>{@code ~!}</td>
 * </tr>
 * </table>
 * So {@code orders/54-A} is {@code orders~~54-A}. Every other id stays as it is, so the
 * URLs of ids without a {@code /} do not change. A text with {@code ~~} or {@code ~!} is
 * the exception: as it is, it stands for another id. No two ids have the same URL.
 *
 * @hidden
 */
public final class HiLoBackendIdConverter implements BackendIdConverter {

	/**
	 * What stands for a character in a URL, {@code ~~} or {@code ~!}.
	 */
	private static final Pattern CODE = Pattern.compile("~[~!]");

	private final Predicate<Class<?>> supported;

	/**
	 * Creates the converter.
	 * @param supported tells whether a type gets {@code String} ids here
	 */
	public HiLoBackendIdConverter(Predicate<Class<?>> supported) {
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
