package io.github.hilo.data;

import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.Names;
import io.github.hilo.store.StoredIdScope;
import io.github.hilo.store.StoredIdScopes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;

/**
 * Which stored ids count in a sequence, by the mapping metadata of the types known by
 * now: those in the fields that get numbers of it. A collection that is an expression is
 * not evaluated for it, but counts once something was saved to it, and so does every
 * other one that a save has named. The collection of the sequence's own name always
 * counts, unless that name is no more than the default one of the only field. Where no
 * type is known, ids of any form count. Internal.
 * <p>
 * A field may be named late, when this process has ranges already that were looked at
 * without it. Then its first save returns those ranges, and waits until none is left.
 * <p>
 * Thread-safe: whether a field came late, and what every look so far has covered, is
 * decided under the lock of the sequence. No other code is called under it.
 *
 * @hidden
 */
public final class MappedIdScopes implements StoredIdScopes {

	/**
	 * Stands for a field that needs no waiting for; completed, so that nobody can change
	 * it.
	 */
	private static final CompletableFuture<@Nullable Void> READY = CompletableFuture.completedFuture(null);

	private static final Logger logger = LoggerFactory.getLogger(MappedIdScopes.class);

	private final MappedSequenceNames names;

	private final RangeRelease release;

	private final Map<String, Sequence> sequences = new ConcurrentHashMap<>();

	private final Set<Class<?>> unnamed = ConcurrentHashMap.newKeySet();

	/**
	 * Creates the scopes.
	 * @param names names the sequences of entity types
	 * @param release returns ranges that were looked at without a field
	 */
	public MappedIdScopes(MappedSequenceNames names, RangeRelease release) {
		this.names = names;
		this.release = release;
	}

	@Override
	public StoredIdScope of(String database, String sequence) {
		return sequence(sequence).scope(database);
	}

	/**
	 * Tells whether every look, before and after, covers a field, so that a save to it
	 * need not be announced. Remembers the field where no look was made yet.
	 * @param collection the collection that a document is saved to
	 * @param path the field that gets a value
	 * @param numeric whether that is a number, or else a text
	 */
	boolean isCovered(String sequence, String collection, String path, boolean numeric) {
		return sequence(sequence).isCovered(new Place(collection, path, numeric));
	}

	/**
	 * Announces a save to a field that not every look has covered.
	 * @param database the sequence's database, or {@code null} if it is not known
	 * @param collection the collection that a document is saved to
	 * @param path the field that gets a value
	 * @param numeric whether that is a number, or else a text
	 * @return what ends once numbers of the sequence can be used there, or with
	 * {@link HiLoUnavailableException}; the caller's own
	 */
	CompletableFuture<@Nullable Void> announce(@Nullable String database, String sequence, String collection,
			String path, boolean numeric) {
		return sequence(sequence).announce(database, new Place(collection, path, numeric));
	}

	private Sequence sequence(String name) {
		Sequence existing = this.sequences.get(name);
		return (existing != null) ? existing : this.sequences.computeIfAbsent(name, Sequence::new);
	}

	/**
	 * What the metadata says of a sequence.
	 */
	private Mapped mapped(String sequence, int types) {
		Set<StoredIdScope.Field> fields = new LinkedHashSet<>();
		boolean numbers = false;
		boolean texts = false;
		for (MongoPersistentEntity<?> entity : this.names.mappings().getPersistentEntities()) {
			for (AssignableProperty property : countedIn(entity, sequence)) {
				numbers |= property.isNumeric();
				texts |= !property.isNumeric();
				if (!MappedSequenceNames.isCollectionExpression(entity)) {
					fields.add(new StoredIdScope.Field(entity.getCollection(), property.path(), true));
				}
			}
		}
		return new Mapped(types, numbers, texts, fields);
	}

	/**
	 * A strategy of the user's may refuse types that are never saved with our ids.
	 */
	private List<AssignableProperty> countedIn(MongoPersistentEntity<?> entity, String sequence) {
		try {
			return isDocument(entity) ? this.names.countedIn(entity)
				.stream()
				.filter((property) -> sequence.equals(this.names.fixedNameOf(property)))
				.toList() : List.of();
		}
		catch (RuntimeException ex) {
			if (this.unnamed.add(entity.getType())) {
				logger.warn("The sequences of {} could not be named, so its stored ids are not looked at until one is"
						+ " saved", entity.getType().getName(), ex);
			}
			return List.of();
		}
	}

	/**
	 * Whether instances are saved themselves, as far as the type tells.
	 */
	private static boolean isDocument(MongoPersistentEntity<?> entity) {
		return MappedSequenceNames.namesCollection(entity) || !Modifier.isAbstract(entity.getType().getModifiers());
	}

	/**
	 * What metadata says of a sequence.
	 *
	 * @param types how many types were known
	 */
	private record Mapped(int types, boolean numbers, boolean texts, Set<StoredIdScope.Field> fields) {

		static final Mapped NOTHING = new Mapped(-1, false, false, Set.of());

	}

	/**
	 * Where ids are stored.
	 */
	private record Place(String collection, String path, boolean numeric) {
	}

	/**
	 * The looks of one database.
	 */
	private static final class Looks {

		/**
		 * What every look so far has covered.
		 */
		@Nullable StoredIdScope covered;

		/**
		 * Places that were named after a look without them.
		 */
		final Map<Place, CompletableFuture<@Nullable Void>> late = new HashMap<>();

		boolean covers(Place place) {
			return this.covered == null || this.covered.covers(place.collection(), place.path(), place.numeric());
		}

	}

	/**
	 * One sequence.
	 */
	private final class Sequence {

		private final String name;

		/**
		 * Places that every look covers, in any database.
		 */
		private final Set<Place> covered = ConcurrentHashMap.newKeySet();

		private final Map<String, Looks> databases = new HashMap<>();

		/**
		 * Places that were named late for a database that is not known.
		 */
		private final Map<Place, CompletableFuture<@Nullable Void>> lateAnywhere = new HashMap<>();

		private volatile Mapped mapped = Mapped.NOTHING;

		Sequence(String name) {
			this.name = Names.requireSequence(name);
		}

		StoredIdScope scope(String database) {
			Mapped mapped = mapped();
			synchronized (this) {
				Looks looks = this.databases.computeIfAbsent(database, (absent) -> new Looks());
				StoredIdScope scope = scope(mapped, looks);
				looks.covered = (looks.covered != null) ? looks.covered.and(scope) : scope;
				return scope;
			}
		}

		private StoredIdScope scope(Mapped mapped, Looks looks) {
			Set<StoredIdScope.Field> fields = new LinkedHashSet<>(mapped.fields());
			boolean numbers = mapped.numbers();
			boolean texts = mapped.texts();
			for (Set<Place> named : List.of(this.covered, looks.late.keySet(), this.lateAnywhere.keySet())) {
				for (Place place : named) {
					fields.add(new StoredIdScope.Field(place.collection(), place.path(), true));
					numbers |= place.numeric();
					texts |= !place.numeric();
				}
			}
			if (!fields.contains(StoredIdScope.Field.id(this.name, true)) && !isDefaultName(fields)) {
				fields.add(StoredIdScope.Field.id(this.name, false));
			}
			boolean known = numbers || texts;
			return new StoredIdScope(!known || numbers, !known || texts, List.copyOf(fields));
		}

		private boolean isDefaultName(Set<StoredIdScope.Field> fields) {
			return !fields.isEmpty() && fields.stream()
				.allMatch((field) -> !field.isId()
						&& this.name.equals(MappedSequenceNames.defaultNameOf(field.collection(), field.path())));
		}

		/**
		 * Types become known while an application runs, but are never forgotten.
		 */
		private Mapped mapped() {
			int types = MappedIdScopes.this.names.mappings().getPersistentEntities().size();
			Mapped mapped = this.mapped;
			if (mapped.types() != types) {
				mapped = MappedIdScopes.this.mapped(this.name, types);
				this.mapped = mapped;
			}
			return mapped;
		}

		boolean isCovered(Place place) {
			return this.covered.contains(place) || coverIfNotLate(place);
		}

		private synchronized boolean coverIfNotLate(Place place) {
			boolean late = this.lateAnywhere.containsKey(place) || this.databases.values()
				.stream()
				.anyMatch((looks) -> looks.late.containsKey(place) || !looks.covers(place));
			return !late && (this.covered.add(place) || this.covered.contains(place));
		}

		CompletableFuture<@Nullable Void> announce(@Nullable String database, Place place) {
			CompletableFuture<@Nullable Void> ready = new CompletableFuture<>();
			synchronized (this) {
				if (isCovered(place)) {
					return READY;
				}
				Looks looks = (database != null) ? this.databases.computeIfAbsent(database, (absent) -> new Looks())
						: null;
				Map<Place, CompletableFuture<@Nullable Void>> late = (looks != null) ? looks.late : this.lateAnywhere;
				CompletableFuture<@Nullable Void> known = late.get(place);
				if (known == READY) {
					return READY;
				}
				if (known != null && !known.isCompletedExceptionally()) {
					return known.copy();
				}
				if (known == null && looks != null && looks.covers(place)) {
					late.put(place, READY);
					return READY;
				}
				// One that has failed is tried again.
				late.put(place, ready);
			}
			CompletionStage<@Nullable Void> unused = released(database)
				.whenComplete((released, failure) -> settle(database, place, ready, failure));
			return ready.copy();
		}

		private CompletionStage<@Nullable Void> released(@Nullable String database) {
			try {
				return MappedIdScopes.this.release.release(database, this.name);
			}
			// Whatever it is, those that wait have to hear of it.
			catch (Throwable ex) {
				return CompletableFuture.failedFuture(ex);
			}
		}

		private void settle(@Nullable String database, Place place, CompletableFuture<@Nullable Void> ready,
				@Nullable Throwable failure) {
			if (failure != null) {
				ready
					.completeExceptionally(new HiLoUnavailableException("No id from sequence " + Names.quoted(this.name)
							+ " for " + new StoredIdScope.Field(place.collection(), place.path(), true).describe()
							+ ", which is new to it: the ranges that were reserved without a look at it could not be"
							+ " returned: " + NestedExceptionUtils.getMostSpecificCause(failure).getMessage(),
							failure));
				return;
			}
			synchronized (this) {
				Looks looks = (database != null) ? this.databases.get(database) : null;
				((looks != null) ? looks.late : this.lateAnywhere).put(place, READY);
			}
			ready.complete(null);
		}

	}

}
