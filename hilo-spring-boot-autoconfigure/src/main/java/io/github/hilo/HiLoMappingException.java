package io.github.hilo;

import org.jspecify.annotations.Nullable;

/**
 * Thrown at start-up, or when a type is first used, if the ids or numbers of an entity
 * type cannot be assigned as its mapping asks for.
 */
public final class HiLoMappingException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final String description;

	private final String action;

	/**
	 * Creates an exception whose message consists of both texts.
	 * @param description what is refused, and why
	 * @param action what to write instead
	 */
	public HiLoMappingException(String description, String action) {
		this(description, action, null);
	}

	/**
	 * Creates an exception whose message consists of both texts.
	 * @param description what is refused, and why
	 * @param action what to write instead
	 * @param cause the exception that was translated, or {@code null}
	 */
	public HiLoMappingException(String description, String action, @Nullable Throwable cause) {
		super(description + " " + action, cause);
		this.description = description;
		this.action = action;
	}

	/**
	 * Returns what is refused, and why.
	 * @return sentences
	 */
	public String description() {
		return this.description;
	}

	/**
	 * Returns what to write instead.
	 * @return sentences
	 */
	public String action() {
		return this.action;
	}

}
