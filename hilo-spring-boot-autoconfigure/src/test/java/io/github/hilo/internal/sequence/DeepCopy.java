package io.github.hilo.internal.sequence;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Places;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.RepeatedTask;
import io.github.hilo.internal.store.Tasks;
import io.github.hilo.internal.store.TimeSource;
import org.jspecify.annotations.Nullable;

import org.springframework.objenesis.SpringObjenesis;

/**
 * Copies objects of the engine with all that they remember, as a snapshot of a process
 * does: whatever can change is copied, and what ends elsewhere ends for the original
 * alone. What cannot change, and what lies outside the engine, is shared.
 */
final class DeepCopy {

	private static final SpringObjenesis INSTANCES = new SpringObjenesis();

	private static final Set<Package> ROOMS = Set.of(RangeSequence.class.getPackage(), HiLoEngine.class.getPackage());

	private static final Set<String> UNCHANGING = Set.of("java.lang", "java.time");

	private final IdentityHashMap<Object, Object> copies = new IdentityHashMap<>();

	private final List<Object> inOrder = new ArrayList<>();

	/**
	 * Lets the copy refer to something else.
	 * @param original what the original refers to
	 * @param copy what the copy refers to
	 */
	void replace(Object original, Object copy) {
		this.copies.put(original, copy);
	}

	/**
	 * Finds the copies of a type, in the order in which they were made.
	 */
	<T> List<T> copiesOf(Class<T> type) {
		return this.inOrder.stream().filter(type::isInstance).map(type::cast).toList();
	}

	/**
	 * What was copied, or replaced.
	 */
	Set<Object> originals() {
		return this.copies.keySet();
	}

	@SuppressWarnings("unchecked")
	<T extends @Nullable Object> T of(T original) {
		if (original == null) {
			return original;
		}
		// Their clock is that of all processes. A copy forgets nothing that was chosen.
		boolean ofTheClock = original instanceof Tasks || original instanceof RepeatedTask;
		Object copy = ofTheClock ? original : this.copies.get(original);
		return (copy != null) ? (T) copy : (T) copy(original);
	}

	@SuppressWarnings("FutureReturnValueIgnored") // it is the copy of one
	private Object copy(Object original) {
		if (original instanceof AtomicLongArray array) {
			AtomicLongArray copy = new AtomicLongArray(array.length());
			for (int i = 0; i < array.length(); i++) {
				copy.set(i, array.get(i));
			}
			return remembered(original, copy);
		}
		if (original instanceof AtomicBoolean value) {
			return remembered(original, new AtomicBoolean(value.get()));
		}
		if (original instanceof AtomicReference<?> value) {
			Object held = value.get();
			return remembered(original, (held != null) ? new AtomicReference<>(of(held)) : new AtomicReference<>());
		}
		if (original instanceof CompletableFuture) {
			CompletableFuture<?> copy = new CompletableFuture<>();
			remembered(original, copy);
			return copy;
		}
		if (original instanceof ReentrantLock) {
			return remembered(original, new ReentrantLock());
		}
		if (original instanceof Map<?, ?> map) {
			Map<Object, Object> copy = (map instanceof ConcurrentNavigableMap) ? new ConcurrentSkipListMap<>()
					: (map instanceof SortedMap) ? new TreeMap<>()
							: (map instanceof LinkedHashMap) ? new LinkedHashMap<>() : new ConcurrentHashMap<>();
			remembered(original, copy);
			map.forEach((key, value) -> copy.put(key, of(value)));
			return copy;
		}
		if (original instanceof Collection) {
			Collection<Object> copy = (original instanceof Set) ? ConcurrentHashMap.newKeySet()
					: (original instanceof Queue) ? new ConcurrentLinkedQueue<>() : new CopyOnWriteArrayList<>();
			remembered(original, copy);
			((Collection<?>) original).forEach((element) -> copy.add(of(element)));
			return copy;
		}
		if (original.getClass().isArray()) {
			Object copy = Array.newInstance(original.getClass().getComponentType(), Array.getLength(original));
			System.arraycopy(original, 0, copy, 0, Array.getLength(original));
			return remembered(original, copy);
		}
		if (changes(original.getClass())) {
			return original.getClass().isRecord() ? copyRecord(original) : copyFields(original);
		}
		if (!isShared(original)) {
			throw new IllegalStateException("Is " + original.getClass() + " to be copied?");
		}
		return original;
	}

	private static boolean isShared(Object original) {
		Class<?> type = original.getClass();
		return type.isRecord() || type.isEnum() || type.isHidden() || UNCHANGING.contains(type.getPackageName())
				|| original instanceof RangeStore || original instanceof TimeSource || original instanceof Deadline;
	}

	/**
	 * Whether a type is one of the engine's, which may remember something.
	 */
	private static boolean changes(Class<?> type) {
		return (ROOMS.contains(type.getPackage()) && !type.isEnum() && !type.isHidden()) || type == Places.class;
	}

	private Object copyRecord(Object original) {
		try {
			RecordComponent[] components = original.getClass().getRecordComponents();
			Object[] values = new Object[components.length];
			for (int i = 0; i < values.length; i++) {
				components[i].getAccessor().setAccessible(true);
				values[i] = of(components[i].getAccessor().invoke(original));
			}
			var constructor = original.getClass()
				.getDeclaredConstructor(
						Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
			constructor.setAccessible(true);
			return remembered(original, constructor.newInstance(values));
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private Object copyFields(Object original) {
		try {
			Object copy = remembered(original, INSTANCES.newInstance(original.getClass(), false));
			for (Field field : original.getClass().getDeclaredFields()) {
				if (!Modifier.isStatic(field.getModifiers())) {
					field.setAccessible(true);
					field.set(copy, of(field.get(original)));
				}
			}
			return copy;
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private Object remembered(Object original, Object copy) {
		this.copies.put(original, copy);
		this.inOrder.add(copy);
		return copy;
	}

}
