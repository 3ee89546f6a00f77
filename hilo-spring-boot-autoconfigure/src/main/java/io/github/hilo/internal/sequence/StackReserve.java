package io.github.hilo.internal.sequence;

/**
 * Makes sure of the stack that a caller's slow path needs, before it changes anything: a
 * caller that recurses too deeply fails here, and leaves no operation half begun.
 */
final class StackReserve {

	// So many frames are larger than what an event, the operation that it starts and a
	// listener need.
	private static final int FRAMES = 512;

	private StackReserve() {
	}

	/**
	 * Uses the stack, and gives it back.
	 * @throws StackOverflowError if there is not enough
	 */
	static void require() {
		use(FRAMES, FRAMES, 1, 2, 3);
	}

	// All are needed after the call, so that each frame keeps them.
	private static long use(int frames, long first, long second, long third, long fourth) {
		return (frames == 0) ? first : use(frames - 1, second, third, fourth, first) + first * second + third * fourth;
	}

}
