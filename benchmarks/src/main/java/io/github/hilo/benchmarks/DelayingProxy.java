package io.github.hilo.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A TCP proxy on the loopback that makes a server look as far away as it is told.
 * <p>
 * Each chunk is stamped when it arrives and sent on when its time has come, so what
 * follows it closely is not delayed by its wait: a line is long, not narrow.
 */
final class DelayingProxy implements AutoCloseable {

	private static final int CHUNK_SIZE = 65_536;

	private static final int MAX_CHUNKS_UNDER_WAY = 4096;

	private final InetSocketAddress target;

	private final long delayNanos;

	private final ServerSocket listener;

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private volatile boolean closed;

	/**
	 * Starts a proxy.
	 * @param target the server
	 * @param oneWay how long each direction takes
	 */
	DelayingProxy(InetSocketAddress target, Duration oneWay) throws IOException {
		this.target = target;
		this.delayNanos = oneWay.toNanos();
		this.listener = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
		start("accept", this::accept);
	}

	int port() {
		return this.listener.getLocalPort();
	}

	@Override
	public void close() throws IOException {
		this.closed = true;
		this.listener.close();
		for (Socket socket : this.sockets) {
			socket.close();
		}
	}

	private void accept() throws IOException {
		while (!this.closed) {
			Socket client = opened(this.listener.accept());
			Socket server = opened(new Socket());
			server.connect(this.target);
			forward(client, server);
			forward(server, client);
		}
	}

	private Socket opened(Socket socket) throws IOException {
		this.sockets.add(socket);
		socket.setTcpNoDelay(true);
		return socket;
	}

	private void forward(Socket from, Socket to) {
		BlockingQueue<Chunk> underWay = new LinkedBlockingQueue<>(MAX_CHUNKS_UNDER_WAY);
		start("receive", () -> receive(from, underWay));
		start("send", () -> send(underWay, to));
	}

	private void receive(Socket from, BlockingQueue<Chunk> underWay) throws IOException, InterruptedException {
		InputStream in = from.getInputStream();
		byte[] buffer = new byte[CHUNK_SIZE];
		int read = 0;
		while (read >= 0) {
			try {
				read = in.read(buffer);
			}
			catch (IOException ex) {
				read = -1;
			}
			underWay.put(new Chunk(Arrays.copyOf(buffer, Math.max(0, read)), System.nanoTime() + this.delayNanos));
		}
	}

	private static void send(BlockingQueue<Chunk> underWay, Socket to) throws IOException, InterruptedException {
		OutputStream out = to.getOutputStream();
		for (Chunk chunk = underWay.take(); chunk.bytes.length > 0; chunk = underWay.take()) {
			long left = chunk.dueNanos - System.nanoTime();
			while (left > 0) {
				LockSupport.parkNanos(left);
				left = chunk.dueNanos - System.nanoTime();
			}
			out.write(chunk.bytes);
		}
		to.close();
	}

	private void start(String name, Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException ex) {
				// One end hung up, or the proxy was closed: either ends this thread.
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}, "proxy-" + name);
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * What a thread does until its socket is closed.
	 */
	private interface Task {

		void run() throws IOException, InterruptedException;

	}

	/**
	 * Bytes on their way; none at all is the end.
	 */
	private static final class Chunk {

		private final byte[] bytes;

		private final long dueNanos;

		Chunk(byte[] bytes, long dueNanos) {
			this.bytes = bytes;
			this.dueNanos = dueNanos;
		}

	}

}
