package io.github.hilo.mongodb;

/**
 * What a document id looks like: {@code <sequence><separator>[<server
 * prefix>]<number>[-<node tag>]}.
 *
 * @param separator what stands between a sequence's name and a number
 * @param nodeTag tag appended to ids, or an empty string
 */
record DocumentIdFormat(String separator, String nodeTag) {

	/**
	 * Returns what the ids of a sequence begin with.
	 */
	String head(String sequence) {
		return sequence + this.separator;
	}

	String id(String sequence, String serverPrefix, long number) {
		String id = head(sequence) + serverPrefix + number;
		return this.nodeTag.isEmpty() ? id : id + "-" + this.nodeTag;
	}

}
