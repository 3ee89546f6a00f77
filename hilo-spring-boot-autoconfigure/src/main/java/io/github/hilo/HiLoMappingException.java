package io.github.hilo;

import org.jspecify.annotations.Nullable;

/**
 * Ids or numbers of an entity type cannot be assigned as its mapping asks for. Thrown at
 * start-up, or when the type is first used.
 */
public final class HiLoMappingException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final String description;

	private final String action;

	/**
	 * Creates an exception whose message is both.
	 * @param description what is refused, and why
	 * @param action what to write instead
	 */
	public HiLoMappingException(String description, String action) {
		this(description, action, null);
	}

	/**
	 * Creates an exception whose message is both.
	 * @param description what is refused, and why
	 * @param action what to write instead
	 * @param cause the same, as it was found, or {@code null}
	 */
	public HiLoMappingException(String description, String action, @Nullable Throwable cause) {
		super(description + " " + action, cause);
		this.description = description;
		this.action = action;
	}

	/**
	 * Says what is refused, and why.
	 * @return sentences
	 */
	public String description() {
		return this.description;
	}

	/**
	 * Says what to write instead.
	 * @return sentences
	 */
	public String action() {
		return this.action;
	}

}
