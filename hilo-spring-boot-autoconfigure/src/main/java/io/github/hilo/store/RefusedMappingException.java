package io.github.hilo.store;

/**
 * Ids or numbers of an entity type cannot be assigned as its mapping asks for. Thrown at
 * start-up, or when the type is first used. Internal: users catch
 * {@link IllegalStateException}.
 *
 * @hidden
 */
public final class RefusedMappingException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final String description;

	private final String action;

	/**
	 * Creates an exception whose message is both.
	 * @param description what is refused, and why
	 * @param action what to write instead
	 */
	public RefusedMappingException(String description, String action) {
		super(description + " " + action);
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
