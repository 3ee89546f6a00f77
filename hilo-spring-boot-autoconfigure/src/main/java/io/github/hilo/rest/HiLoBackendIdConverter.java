package io.github.hilo.rest;

import java.io.Serializable;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import org.springframework.data.mapping.context.MappingContext;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.mongodb.core.mapping.MongoPersistentProperty;
import org.springframework.data.rest.webmvc.spi.BackendIdConverter;
import org.springframework.data.util.ProxyUtils;

/**
 * Writes the {@code String} ids of MongoDB documents as one segment of a path in the URLs
 * of Spring Data REST, whose resources have the path {@code /<collection>/{id}}.
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
 * <p>
 * It does not matter whether the starter gives ids to a type: settings for new ids must
 * not move the documents that are stored.
 * <p>
 * Thread-safe: its fields never change, and what they refer to is thread-safe.
 *
 * @hidden
 */
public final class HiLoBackendIdConverter implements BackendIdConverter {

	/**
	 * What stands for a character in a URL, {@code ~~} or {@code ~!}.
	 */
	private static final Pattern CODE = Pattern.compile("~[~!]");

	private final Supplier<MappingContext<? extends MongoPersistentEntity<?>, MongoPersistentProperty>> mappings;

	/**
	 * Creates the converter.
	 * @param mappings supplies the document types' metadata
	 */
	public HiLoBackendIdConverter(
			Supplier<MappingContext<? extends MongoPersistentEntity<?>, MongoPersistentProperty>> mappings) {
		this.mappings = mappings;
	}

	/**
	 * Whether a type is known to be a document with a {@code String} id.
	 */
	@Override
	public boolean supports(Class<?> type) {
		Class<?> userType = ProxyUtils.getUserClass(type);
		// Only then: asking for an entity adds it, and other stores' types are asked for.
		if (!this.mappings.get().hasPersistentEntityFor(userType)) {
			return false;
		}
		MongoPersistentProperty id = this.mappings.get().getRequiredPersistentEntity(userType).getIdProperty();
		return id != null && id.getType() == String.class;
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
