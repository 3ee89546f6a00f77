package io.github.hilo.internal.store;

/**
 * What an id or a number is stored as.
 */
public enum IdForm {

	NUMBER,

	/**
	 * A string with a number in it, such as {@code orders/54-A}.
	 */
	TEXT

}
