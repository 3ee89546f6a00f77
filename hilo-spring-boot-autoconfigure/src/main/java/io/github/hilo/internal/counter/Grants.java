package io.github.hilo.internal.counter;

import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.function.Supplier;

import org.bson.BsonObjectId;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/**
 * Creates grants that no other process has, nor a copy of this process. Each grant is 12
 * bytes that the operating system's generator returns for this grant.
 * {@code new ObjectId()}, like any generator with a seed in the process, would not do,
 * because two copies of one snapshot continue from the same state. Thread-safe, as
 * {@link SecureRandom} is.
 */
final class Grants implements Supplier<BsonValue> {

	private static final int BYTES = 12;

	private final SecureRandom system = systemGenerator();

	@Override
	public BsonValue get() {
		return new BsonObjectId(new ObjectId(this.system.generateSeed(BYTES)));
	}

	/**
	 * Returns the generator whose seeds come from the operating system: from
	 * {@code /dev/urandom}, or from Windows.
	 */
	private static SecureRandom systemGenerator() {
		try {
			return SecureRandom.getInstance("NativePRNGNonBlocking");
		}
		catch (NoSuchAlgorithmException ex) {
			return new SecureRandom();
		}
	}

}
