package io.github.hilo;

import org.springframework.dao.TransientDataAccessResourceException;

/**
 * Thrown if MongoDB was unreachable, refused a command, or did not answer within
 * {@code hilo.timeout}. No id was issued, and a later call tries again. If a counter was
 * to be raised, it may have been raised.
 */
public class HiLoUnavailableException extends TransientDataAccessResourceException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message what failed, with the sequence and the database
	 */
	public HiLoUnavailableException(String message) {
		super(message);
	}

	/**
	 * Creates an exception.
	 * @param message what failed, with the sequence and the database
	 * @param cause the failure behind it
	 */
	public HiLoUnavailableException(String message, Throwable cause) {
		super(message, cause);
	}

}
