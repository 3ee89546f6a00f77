package io.github.hilo.internal.text;

/**
 * What the document ids of a sequence look like:
 * {@code <sequence><separator>[<server prefix>]<number>[-<node tag>]}. A number has at
 * least so many digits, zeros first.
 *
 * @param head what precedes the server prefix: the sequence's name and the separator,
 * which is its last character
 * @param tail what follows the number: the node tag behind a dash, or an empty string
 * @param digits the least number of digits, from 1 to {@link #MAX_DIGITS}
 */
public record DocumentIdFormat(String head, String tail, int digits) {

	/**
	 * As many as the highest number has.
	 */
	public static final int MAX_DIGITS = 19;

	// What comes first where so many digits are missing.
	private static final String[] ZEROS = new String[MAX_DIGITS];

	// The lowest number that has one digit more.
	private static final long[] POWERS = new long[MAX_DIGITS];

	static {
		for (int i = 0; i < MAX_DIGITS; i++) {
			ZEROS[i] = "0".repeat(i).intern();
			POWERS[i] = (i > 0) ? 10 * POWERS[i - 1] : 1;
		}
	}

	/**
	 * Makes the format of a sequence's ids.
	 */
	public static DocumentIdFormat of(String sequence, String separator, String nodeTag, int digits) {
		// One tail for all sequences, of which there may be many.
		return new DocumentIdFormat(sequence + separator, nodeTag.isEmpty() ? "" : ("-" + nodeTag).intern(), digits);
	}

	public String separator() {
		return this.head.substring(this.head.length() - 1);
	}

	public String nodeTag() {
		return this.tail.isEmpty() ? "" : this.tail.substring(1);
	}

	/**
	 * Writes an id.
	 */
	public String id(String head, long number) {
		return head + zeros(number) + number + this.tail;
	}

	/**
	 * The zeros that come before a number.
	 */
	public String zeros(long number) {
		int missing = this.digits - 1;
		while (missing > 0 && number >= POWERS[this.digits - missing]) {
			missing--;
		}
		return ZEROS[missing];
	}

	/**
	 * The lowest number that as many zeros come before as before another one.
	 */
	public long firstPaddedLike(long number) {
		return POWERS[this.digits - 1 - zeros(number).length()];
	}

	/**
	 * Finds the number of an id that looks exactly as one that is issued.
	 */
	public long numberOf(String id, String serverPrefix) {
		int start = this.head.length() + serverPrefix.length();
		int end = id.length() - this.tail.length();
		int length = end - start;
		if (length < this.digits || length > MAX_DIGITS || (length > this.digits && id.charAt(start) == '0')
				|| !id.startsWith(this.head) || !id.startsWith(serverPrefix, this.head.length())
				|| !id.endsWith(this.tail)) {
			return 0;
		}
		long number = 0;
		for (int i = start; i < end; i++) {
			int digit = id.charAt(i) - '0';
			if (digit < 0 || digit > 9) {
				return 0;
			}
			number = 10 * number + digit;
		}
		// Below 0 it is higher than any that is issued.
		return Math.max(0, number);
	}

	/**
	 * Finds the number of an id that looks as one that is issued under some server
	 * prefix, of which none ends in a digit.
	 */
	public long numberAtEnd(String id) {
		int end = id.length() - this.tail.length();
		int start = end;
		while (start > this.head.length() && isDigit(id.charAt(start - 1))) {
			start--;
		}
		return (start < end) ? numberOf(id, id.substring(this.head.length(), start)) : 0;
	}

	private static boolean isDigit(char c) {
		return c >= '0' && c <= '9';
	}

}
