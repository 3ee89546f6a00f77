package io.github.hilo.data;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
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

import org.springframework.data.mapping.context.MappingContext;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.mongodb.core.mapping.MongoPersistentProperty;

/**
 * Which stored ids count in a sequence, by the mapping metadata of the types known by
 * now: those that the types saved to its collections have. A collection that is an
 * expression is not evaluated for it, but counts once something was saved to it, and so
 * does every other one that a save has named. The collection of the sequence's own name
 * always counts. Where no type is known, ids of any form do.
 * <p>
 * A collection may be named late, when this process has ranges already that were looked
 * at without it. Then its first save returns those ranges, and waits until none is left.
 * <p>
 * Thread-safe: whether a collection came late, and what every look so far has covered, is
 * decided under the lock of the sequence. No other code is called under it.
 */
final class MappedIdScopes implements StoredIdScopes {

	/**
	 * Stands for a collection that needs no waiting for; completed, so that nobody can
	 * change it.
	 */
	private static final CompletableFuture<@Nullable Void> READY = CompletableFuture.completedFuture(null);

	private static final Logger logger = LoggerFactory.getLogger(MappedIdScopes.class);

	private final MappingContext<? extends MongoPersistentEntity<?>, MongoPersistentProperty> mappings;

	private final MappedSequenceNames names;

	private final RangeRelease release;

	private final Map<String, Sequence> sequences = new ConcurrentHashMap<>();

	private final Set<Class<?>> unnamed = ConcurrentHashMap.newKeySet();

	/**
	 * Creates the scopes.
	 * @param mappings the entity types' metadata
	 * @param names names the sequences of entity types
	 * @param release returns ranges that were looked at without a collection
	 */
	MappedIdScopes(MappingContext<? extends MongoPersistentEntity<?>, MongoPersistentProperty> mappings,
			MappedSequenceNames names, RangeRelease release) {
		this.mappings = mappings;
		this.names = names;
		this.release = release;
	}

	@Override
	public StoredIdScope of(String database, String sequence) {
		return sequence(sequence).scope(database);
	}

	/**
	 * Tells whether every look, before and after, covers a collection, so that a save to
	 * it need not be announced. Remembers the collection where no look was made yet.
	 * @param collection the collection that a document is saved to
	 * @param numeric whether its id is a number, or else a text
	 */
	boolean isCovered(String sequence, String collection, boolean numeric) {
		return sequence(sequence).isCovered(new Place(collection, numeric));
	}

	/**
	 * Announces a save to a collection that not every look has covered.
	 * @param database the sequence's database, or {@code null} if it is not known
	 * @param collection the collection that a document is saved to
	 * @param numeric whether its id is a number, or else a text
	 * @return what ends once numbers of the sequence can be used there, or with
	 * {@link HiLoUnavailableException}; the caller's own
	 */
	CompletableFuture<@Nullable Void> announce(@Nullable String database, String sequence, String collection,
			boolean numeric) {
		return sequence(sequence).announce(database, new Place(collection, numeric));
	}

	private Sequence sequence(String name) {
		Sequence existing = this.sequences.get(name);
		return (existing != null) ? existing : this.sequences.computeIfAbsent(name, Sequence::new);
	}

	/**
	 * What the metadata says of a sequence.
	 */
	private Mapped mapped(String sequence, int types) {
		Set<String> collections = new LinkedHashSet<>();
		boolean numbers = false;
		boolean texts = false;
		for (MongoPersistentEntity<?> entity : this.mappings.getPersistentEntities()) {
			AssignableId id = AssignableId.of(entity);
			if (id != null && isDocument(entity) && sequence.equals(nameOf(entity))) {
				numbers |= id.isNumeric();
				texts |= !id.isNumeric();
				if (!MappedSequenceNames.isCollectionExpression(entity)) {
					collections.add(entity.getCollection());
				}
			}
		}
		return new Mapped(types, numbers, texts, collections);
	}

	/**
	 * A strategy of the user's may refuse types that are never saved with our ids.
	 */
	private @Nullable String nameOf(MongoPersistentEntity<?> entity) {
		try {
			return this.names.fixedNameOf(entity);
		}
		catch (RuntimeException ex) {
			if (this.unnamed.add(entity.getType())) {
				logger.warn("The sequence of {} could not be named, so its stored ids are not looked at until one is"
						+ " saved", entity.getType().getName(), ex);
			}
			return null;
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
	private record Mapped(int types, boolean numbers, boolean texts, Set<String> collections) {

		static final Mapped NOTHING = new Mapped(-1, false, false, Set.of());

	}

	/**
	 * Where ids are stored.
	 */
	private record Place(String collection, boolean numeric) {
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
			return this.covered == null || this.covered.covers(place.collection(), place.numeric());
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
			this.name = name;
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
			Set<String> collections = new LinkedHashSet<>(mapped.collections());
			boolean numbers = mapped.numbers();
			boolean texts = mapped.texts();
			for (Set<Place> named : List.of(this.covered, looks.late.keySet(), this.lateAnywhere.keySet())) {
				for (Place place : named) {
					collections.add(place.collection());
					numbers |= place.numeric();
					texts |= !place.numeric();
				}
			}
			List<StoredIdScope.Collection> all = new ArrayList<>();
			collections.forEach((collection) -> all.add(new StoredIdScope.Collection(collection, true)));
			if (!collections.contains(this.name)) {
				all.add(new StoredIdScope.Collection(this.name, false));
			}
			boolean known = numbers || texts;
			return new StoredIdScope(!known || numbers, !known || texts, all);
		}

		/**
		 * Types become known while an application runs, but are never forgotten.
		 */
		private Mapped mapped() {
			int types = MappedIdScopes.this.mappings.getPersistentEntities().size();
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
				ready.completeExceptionally(new HiLoUnavailableException("No id from sequence "
						+ Names.quoted(this.name) + " for collection " + Names.quoted(place.collection())
						+ ", which is new to it: the ranges that were reserved without a look at that collection could"
						+ " not be returned in time", failure));
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
