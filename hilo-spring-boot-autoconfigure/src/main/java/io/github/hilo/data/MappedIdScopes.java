package io.github.hilo.data;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.Quoted;
import io.github.hilo.StoredIdScope;
import io.github.hilo.StoredIdScopes;
import org.jspecify.annotations.Nullable;

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
 * A collection that is named late may hold numbers of a range that this process already
 * has, and that was looked at without it. So the first save to it waits until no such
 * range is left.
 * <p>
 * Thread-safe: whether a collection came late, and what the last look covered, is decided
 * under the lock of the sequence.
 */
final class MappedIdScopes implements StoredIdScopes {

	private static final CompletionStage<@Nullable Void> READY = CompletableFuture.completedFuture(null);

	private final MappingContext<? extends MongoPersistentEntity<?>, MongoPersistentProperty> mappings;

	private final MappedSequenceNames names;

	private final Function<String, CompletionStage<@Nullable Void>> release;

	private final Map<String, Sequence> sequences = new ConcurrentHashMap<>();

	/**
	 * Creates the scopes.
	 * @param mappings the entity types' metadata
	 * @param names names the sequences of entity types
	 * @param release returns what this process holds of the sequences of a name; it ends
	 * once no number is left that was reserved before
	 */
	MappedIdScopes(MappingContext<? extends MongoPersistentEntity<?>, MongoPersistentProperty> mappings,
			MappedSequenceNames names, Function<String, CompletionStage<@Nullable Void>> release) {
		this.mappings = mappings;
		this.names = names;
		this.release = release;
	}

	@Override
	public StoredIdScope of(String sequence) {
		return sequence(sequence).scope();
	}

	/**
	 * A document whose id counts in a sequence is about to be saved.
	 * @param collection the collection that it is saved to
	 * @param numeric whether its id is a number, or else a text
	 * @return what ends once numbers of the sequence can be used there
	 */
	CompletionStage<@Nullable Void> named(String sequence, String collection, boolean numeric) {
		return sequence(sequence).named(new Named(collection, numeric));
	}

	private Sequence sequence(String name) {
		Sequence known = this.sequences.get(name);
		return (known != null) ? known : this.sequences.computeIfAbsent(name, Sequence::new);
	}

	/**
	 * What the metadata says of a sequence.
	 */
	private Mapped mapped(String sequence, int types) {
		Set<String> collections = new LinkedHashSet<>();
		boolean known = false;
		boolean numbers = false;
		boolean texts = false;
		for (MongoPersistentEntity<?> entity : this.mappings.getPersistentEntities()) {
			if (isDocument(entity) && sequence.equals(this.names.fixedNameOf(entity))) {
				AssignableId id = AssignableId.of(entity);
				known = true;
				numbers |= id != null && id.isNumeric();
				texts |= id != null && !id.isNumeric();
				if (!MappedSequenceNames.isCollectionExpression(entity)) {
					collections.add(entity.getCollection());
				}
			}
		}
		return new Mapped(types, known, numbers, texts, collections);
	}

	/**
	 * Whether instances are saved themselves, as far as the type tells.
	 */
	private static boolean isDocument(MongoPersistentEntity<?> entity) {
		return MappedSequenceNames.namesCollection(entity)
				|| (entity.getIdProperty() != null && !Modifier.isAbstract(entity.getType().getModifiers()));
	}

	/**
	 * What metadata says of a sequence.
	 *
	 * @param types how many types were known
	 * @param known whether one of them counts in the sequence
	 */
	private record Mapped(int types, boolean known, boolean numbers, boolean texts, Set<String> collections) {

		static final Mapped NOTHING = new Mapped(-1, false, false, false, Set.of());

	}

	private record Named(String collection, boolean numeric) {
	}

	/**
	 * One sequence, in whichever database.
	 */
	private final class Sequence {

		private final String name;

		private final Map<Named, CompletableFuture<@Nullable Void>> named = new ConcurrentHashMap<>();

		/**
		 * Collections that came late, and for which a release has failed.
		 */
		private final Set<Named> unreleased = ConcurrentHashMap.newKeySet();

		private volatile Mapped mapped = Mapped.NOTHING;

		/**
		 * What the last look was told.
		 */
		private @Nullable StoredIdScope told;

		Sequence(String name) {
			this.name = name;
		}

		StoredIdScope scope() {
			// A naming strategy is asked without the lock.
			return tell(mapped());
		}

		private synchronized StoredIdScope tell(Mapped mapped) {
			Set<String> collections = new LinkedHashSet<>(mapped.collections());
			this.named.keySet().forEach((place) -> collections.add(place.collection()));
			List<StoredIdScope.Collection> places = new ArrayList<>();
			collections.forEach((collection) -> places.add(new StoredIdScope.Collection(collection, true)));
			if (!collections.contains(this.name)) {
				places.add(new StoredIdScope.Collection(this.name, false));
			}
			boolean known = mapped.known() || !this.named.isEmpty();
			this.told = new StoredIdScope(!known || mapped.numbers() || isNamed(true),
					!known || mapped.texts() || isNamed(false), places);
			return this.told;
		}

		private boolean isNamed(boolean numeric) {
			return this.named.keySet().stream().anyMatch((place) -> place.numeric() == numeric);
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

		CompletionStage<@Nullable Void> named(Named place) {
			CompletableFuture<@Nullable Void> known = this.named.get(place);
			return (known != null) ? known : join(place);
		}

		private HiLoUnavailableException notReleased(Named place, Throwable failure) {
			return new HiLoUnavailableException("No number of sequence " + Quoted.name(this.name) + " for collection "
					+ Quoted.name(place.collection()) + ", which is new to it: the ranges that were reserved without a"
					+ " look at that collection could not be returned in time", failure);
		}

		private CompletionStage<@Nullable Void> join(Named place) {
			CompletableFuture<@Nullable Void> ready = new CompletableFuture<>();
			synchronized (this) {
				CompletableFuture<@Nullable Void> known = this.named.putIfAbsent(place, ready);
				if (known != null) {
					return known;
				}
				boolean covered = this.told == null || this.told.covers(place.collection(), place.numeric());
				if (covered && !this.unreleased.contains(place)) {
					ready.complete(null);
					return READY;
				}
			}
			CompletionStage<@Nullable Void> unused = MappedIdScopes.this.release.apply(this.name)
				.whenComplete((released, failure) -> {
					if (failure != null) {
						// The next save tries again.
						this.unreleased.add(place);
						this.named.remove(place, ready);
						ready.completeExceptionally(notReleased(place, failure));
					}
					else {
						this.unreleased.remove(place);
						ready.complete(null);
					}
				});
			return ready;
		}

	}

}
