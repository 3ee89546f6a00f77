package io.github.hilo;

import org.springframework.dao.NonTransientDataAccessResourceException;

/**
 * There is no number left: the counter, or the {@code int} that a number is meant for,
 * has reached its highest value. Nothing was issued or stored; trying again does not help
 * until somebody changes what the message names.
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
	 * @param cause what it failed with
	 */
	public HiLoExhaustedException(String message, Throwable cause) {
		super(message, cause);
	}

}
