package io.github.hilo;

import org.springframework.dao.NonTransientDataAccessResourceException;

/**
 * A document that ids depend on is malformed: a counter, the server prefix, or one whose
 * id a counter should be raised to. It was left as it was; trying again does not help
 * until somebody corrects the document that the message names.
 */
public class HiLoDocumentException extends NonTransientDataAccessResourceException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message what was found where, and what to do
	 */
	public HiLoDocumentException(String message) {
		super(message);
	}

	/**
	 * Creates an exception.
	 * @param message what was found where, and what to do
	 * @param cause what it failed with
	 */
	public HiLoDocumentException(String message, Throwable cause) {
		super(message, cause);
	}

}
