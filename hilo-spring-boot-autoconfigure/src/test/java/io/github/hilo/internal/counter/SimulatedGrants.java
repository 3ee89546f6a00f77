package io.github.hilo.internal.counter;

import java.nio.ByteBuffer;
import java.util.function.Supplier;

import org.bson.BsonObjectId;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/**
 * The grants of one process, which follow from the schedule. Every process has a source
 * of its own, copies of one included, as the operating system's generator is.
 */
public final class SimulatedGrants implements Supplier<BsonValue> {

	private int source;

	private int count;

	public SimulatedGrants(int source) {
		this.source = source;
	}

	/**
	 * Goes on as another source would, like a generator whose state is in the process.
	 */
	void continueAs(SimulatedGrants original) {
		this.source = original.source;
		this.count = original.count;
	}

	@Override
	public BsonValue get() {
		return new BsonObjectId(
				new ObjectId(ByteBuffer.allocate(12).putInt(this.source).putLong(++this.count).array()));
	}

}
