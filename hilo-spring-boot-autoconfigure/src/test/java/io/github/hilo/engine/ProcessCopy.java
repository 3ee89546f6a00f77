package io.github.hilo.engine;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import io.github.hilo.store.RangeStore;
import io.github.hilo.store.ReservedRange;
import org.jspecify.annotations.Nullable;

import org.springframework.objenesis.SpringObjenesis;

/**
 * Copies what a process remembers, as a snapshot of its memory does: every object of ours
 * that can be reached, whatever state it is in. What it waits for never comes, because a
 * copy has no connections.
 */
final class ProcessCopy {

	private static final Set<String> OURS = Set.of(RangeSequence.class.getPackageName(),
			ReservedRange.class.getPackageName());

	private static final SpringObjenesis OBJENESIS = new SpringObjenesis();

	private final IdentityHashMap<Object, Object> copies = new IdentityHashMap<>();

	private final RangeStore from;

	private final RangeStore to;

	private final Consumer<Waiter> callers;

	private ProcessCopy(RangeStore from, RangeStore to, Consumer<Waiter> callers) {
		this.from = from;
		this.to = to;
		this.callers = callers;
	}

	/**
	 * Copies a registry.
	 * @param registry the registry
	 * @param from its store
	 * @param to the copy's store, with a client of its own
	 * @param callers takes those that wait in the copy, too
	 */
	static SequenceRegistry of(SequenceRegistry registry, RangeStore from, RangeStore to, Consumer<Waiter> callers) {
		return (SequenceRegistry) new ProcessCopy(from, to, callers).copy(registry);
	}

	private @Nullable Object copyOrNull(@Nullable Object original) {
		return (original != null) ? copy(original) : null;
	}

	private Object copy(Object original) {
		if (original == this.from) {
			return this.to;
		}
		Object copy = this.copies.get(original);
		return (copy != null) ? copy : make(original);
	}

	@SuppressWarnings("FutureReturnValueIgnored") // the copy is an object like any other
	private Object make(Object original) {
		if (original instanceof ReentrantLock) {
			return remember(original, new ReentrantLock());
		}
		if (original instanceof CompletableFuture<?>) {
			return remember(original, new CompletableFuture<>());
		}
		if (original instanceof AtomicBoolean flag) {
			return remember(original, new AtomicBoolean(flag.get()));
		}
		if (original instanceof AtomicReference<?> reference) {
			return remember(original, new AtomicReference<>(copyOrNull(reference.get())));
		}
		if (original instanceof AtomicLongArray array) {
			AtomicLongArray copy = new AtomicLongArray(array.length());
			for (int i = 0; i < array.length(); i++) {
				copy.set(i, array.get(i));
			}
			return remember(original, copy);
		}
		if (original instanceof ArrayDeque<?> queue) {
			Collection<Object> copy = new ArrayDeque<>();
			remember(original, copy);
			queue.forEach((element) -> copy.add(copy(element)));
			return copy;
		}
		if (original instanceof ConcurrentHashMap<?, ?> map) {
			Map<Object, Object> copy = new ConcurrentHashMap<>();
			remember(original, copy);
			map.forEach((key, value) -> copy.put(key, copy(value)));
			return copy;
		}
		return isOurs(original) ? copyFields(original) : original;
	}

	/**
	 * What is not ours is immutable, or no part of the process's memory, such as the
	 * time.
	 */
	private static boolean isOurs(Object original) {
		Class<?> type = original.getClass();
		return OURS.contains(type.getPackageName()) && !type.isEnum() && !type.isHidden()
				&& !(original instanceof RuntimeException);
	}

	private Object copyFields(Object original) {
		try {
			Class<?> type = original.getClass();
			if (type.isRecord()) {
				return remember(original, copyRecord(original, type));
			}
			Object copy = remember(original, OBJENESIS.newInstance(type, true));
			for (Class<?> declaring = type; declaring != Object.class; declaring = declaring.getSuperclass()) {
				for (Field field : declaring.getDeclaredFields()) {
					if (!Modifier.isStatic(field.getModifiers())) {
						field.setAccessible(true);
						field.set(copy,
								field.getType().isPrimitive() ? field.get(original) : copyOrNull(field.get(original)));
					}
				}
			}
			if (copy instanceof Waiter caller) {
				this.callers.accept(caller);
			}
			return copy;
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private Object copyRecord(Object original, Class<?> type) throws ReflectiveOperationException {
		RecordComponent[] components = type.getRecordComponents();
		Class<?>[] types = new Class<?>[components.length];
		@Nullable Object[] values = new Object[components.length];
		for (int i = 0; i < components.length; i++) {
			types[i] = components[i].getType();
			components[i].getAccessor().setAccessible(true);
			values[i] = copyOrNull(components[i].getAccessor().invoke(original));
		}
		Constructor<?> constructor = type.getDeclaredConstructor(types);
		constructor.setAccessible(true);
		return constructor.newInstance(values);
	}

	private <T> T remember(Object original, T copy) {
		this.copies.put(original, copy);
		return copy;
	}

}
