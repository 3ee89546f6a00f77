package io.github.hilo.internal.text;

/**
 * Writes and reads the document ids of a sequence:
 * {@code <sequence><separator>[<server prefix>]<number>[-<node tag>]}. A number is padded
 * with zeros to a least number of digits.
 *
 * @param head the text before the server prefix: the sequence's name and the separator,
 * which is the last character
 * @param tail the text after the number: a dash and the node tag, or an empty string
 * @param digits the least number of digits, from 1 to {@link #MAX_DIGITS}
 */
public record DocumentIdFormat(String head, String tail, int digits) {

	/**
	 * The number of digits of the highest number.
	 */
	public static final int MAX_DIGITS = 19;

	// ZEROS[n] is n zeros.
	private static final String[] ZEROS = new String[MAX_DIGITS];

	// POWERS[n] is 10^n.
	private static final long[] POWERS = new long[MAX_DIGITS];

	static {
		for (int i = 0; i < MAX_DIGITS; i++) {
			ZEROS[i] = "0".repeat(i).intern();
			POWERS[i] = (i > 0) ? 10 * POWERS[i - 1] : 1;
		}
	}

	public static DocumentIdFormat of(String sequence, String separator, String nodeTag, int digits) {
		// All sequences share one tail, because there may be many sequences.
		return new DocumentIdFormat(sequence + separator, nodeTag.isEmpty() ? "" : ("-" + nodeTag).intern(), digits);
	}

	public String separator() {
		return this.head.substring(this.head.length() - 1);
	}

	public String nodeTag() {
		return this.tail.isEmpty() ? "" : this.tail.substring(1);
	}

	public String id(String head, long number) {
		return head + zeros(number) + number + this.tail;
	}

	/**
	 * Returns the zeros that pad a number.
	 */
	public String zeros(long number) {
		int missing = this.digits - 1;
		while (missing > 0 && number >= POWERS[this.digits - missing]) {
			missing--;
		}
		return ZEROS[missing];
	}

	/**
	 * Returns the lowest number that is padded with as many zeros as another number.
	 */
	public long firstPaddedLike(long number) {
		return POWERS[this.digits - 1 - zeros(number).length()];
	}

	/**
	 * Returns the highest number whose text has as many digits as that of another number,
	 * zeros in front included.
	 */
	public long lastWithAsManyDigits(long number) {
		int digits = Math.max(this.digits, Long.toString(number).length());
		return (digits < MAX_DIGITS) ? POWERS[digits] - 1 : Long.MAX_VALUE;
	}

	/**
	 * Returns the number of an id that has exactly the form of issued ids, or 0.
	 */
	public long numberOf(String id, String serverPrefix) {
		return id.startsWith(serverPrefix, this.head.length())
				? numberFrom(id, this.head.length() + serverPrefix.length()) : 0;
	}

	private long numberFrom(String id, int start) {
		int end = id.length() - this.tail.length();
		int length = end - start;
		if (length < this.digits || length > MAX_DIGITS || (length > this.digits && id.charAt(start) == '0')
				|| !id.startsWith(this.head) || !id.endsWith(this.tail)) {
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
		// An overflow to below 0 is a number that is never issued.
		return Math.max(0, number);
	}

	/**
	 * Returns the number of an id that has the form of issued ids under any server
	 * prefix, or 0. No server prefix ends in a digit.
	 */
	public long numberAtEnd(String id) {
		int end = id.length() - this.tail.length();
		int start = end;
		while (start > this.head.length() && isDigit(id.charAt(start - 1))) {
			start--;
		}
		return (start < end) ? numberFrom(id, start) : 0;
	}

	private static boolean isDigit(char c) {
		return c >= '0' && c <= '9';
	}

}
