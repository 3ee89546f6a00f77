package io.github.hilo.internal.mongodb;

/**
 * A command was not sent, or with too little time left for an answer. So its failure says
 * nothing about the server.
 */
final class CommandNotSentException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	CommandNotSentException(String message) {
		super(message);
	}

	static CommandNotSentException withoutTime() {
		return new CommandNotSentException("The command was not sent in time: no time was left");
	}

}
