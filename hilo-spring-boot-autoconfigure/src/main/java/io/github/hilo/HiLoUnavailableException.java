package io.github.hilo;

import org.springframework.dao.TransientDataAccessResourceException;

/**
 * No range could be reserved: MongoDB was unreachable or refused, or none came within
 * {@code hilo.timeout}. Nothing was issued, and the next call tries again.
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
