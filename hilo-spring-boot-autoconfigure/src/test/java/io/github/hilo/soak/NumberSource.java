package io.github.hilo.soak;

import java.util.function.LongConsumer;

/**
 * One way in which an application gets numbers of a sequence.
 */
interface NumberSource {

	/**
	 * Gets a number.
	 * @param issued is told the number, also where the document that it was for could not
	 * be stored
	 */
	void next(LongConsumer issued);

}
