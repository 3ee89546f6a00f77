package io.github.hilo;

import org.springframework.dao.TransientDataAccessResourceException;

/**
 * MongoDB was unreachable, refused, or did not answer within {@code hilo.timeout}. No id
 * was issued, and a later call tries again. A counter that was to be raised may have been
 * raised.
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
	 * @param cause what it failed with
	 */
	public HiLoUnavailableException(String message, Throwable cause) {
		super(message, cause);
	}

}
