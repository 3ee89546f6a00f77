package io.github.hilo.internal.mongodb;

/**
 * A command was not sent in time, so it says nothing about the server, and nothing has
 * changed there.
 */
final class CommandNotSentException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	CommandNotSentException(String message) {
		super(message);
	}

	static CommandNotSentException withoutTime() {
		return new CommandNotSentException("The command was not sent: no time was left");
	}

}
