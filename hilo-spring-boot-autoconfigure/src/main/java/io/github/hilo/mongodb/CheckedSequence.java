package io.github.hilo.mongodb;

import io.github.hilo.store.StoredIdScope;

/**
 * A sequence whose stored ids are checked.
 *
 * @param name the counter
 * @param scope which ids count
 * @param reader reads them
 * @param memory what this process remembers of earlier checks
 */
record CheckedSequence(CounterName name, StoredIdScope scope, StoredIdReader reader, CheckMemory memory) {
}
