package io.github.hilo;

import org.springframework.dao.NonTransientDataAccessResourceException;

/**
 * Thrown if a document that ids depend on is malformed: a counter, the server prefix, or
 * a document up to whose id a counter should be raised. The document was not changed.
 * Calls fail until somebody corrects the document that the message names.
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
	 * @param cause the failure behind it
	 */
	public HiLoDocumentException(String message, Throwable cause) {
		super(message, cause);
	}

}
