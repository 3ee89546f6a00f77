package io.github.hilo;

import org.springframework.dao.NonTransientDataAccessResourceException;

/**
 * Thrown if no number is left: the counter, or the {@code int} that a number is for, has
 * reached its highest value. Nothing was issued or stored. Calls fail until somebody
 * changes what the message names.
 */
public class HiLoExhaustedException extends NonTransientDataAccessResourceException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message what is exhausted where, and what to do
	 */
	public HiLoExhaustedException(String message) {
		super(message);
	}

	/**
	 * Creates an exception.
	 * @param message what is exhausted where, and what to do
	 * @param cause the failure behind it
	 */
	public HiLoExhaustedException(String message, Throwable cause) {
		super(message, cause);
	}

}
