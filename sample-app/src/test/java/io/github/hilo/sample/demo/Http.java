package io.github.hilo.sample.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Sends requests with a {@code Host} of one's choice, which the JDK's client does not.
 */
final class Http {

	private Http() {
	}

	/**
	 * Asks a server on this machine.
	 * @return status line, headers and body
	 */
	static String get(int port, String path, String host) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			String request = "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n".formatted(path, host);
			socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
	}

}
