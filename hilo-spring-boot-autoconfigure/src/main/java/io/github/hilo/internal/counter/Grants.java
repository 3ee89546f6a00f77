package io.github.hilo.internal.counter;

import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.function.Supplier;

import org.bson.BsonObjectId;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/**
 * Makes grants that nobody else has, over all processes and all copies of one: each is 12
 * bytes of the operating system's generator, asked anew. {@code new ObjectId()} would not
 * do, and neither would any generator that is seeded in the process: two copies of one
 * snapshot go on with the same state.
 */
final class Grants implements Supplier<BsonValue> {

	private static final int BYTES = 12;

	private final SecureRandom system = systemGenerator();

	@Override
	public BsonValue get() {
		return new BsonObjectId(new ObjectId(this.system.generateSeed(BYTES)));
	}

	/**
	 * Finds the generator whose seeds are read from the system: from
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
