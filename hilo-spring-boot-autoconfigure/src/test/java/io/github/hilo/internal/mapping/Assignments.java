package io.github.hilo.internal.mapping;

import java.util.List;

import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.autoconfigure.AssignIds;

import org.springframework.data.mongodb.core.mapping.MongoMappingContext;
import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;

/**
 * What settings make of metadata, for tests.
 */
public final class Assignments {

	private final MongoMappingContext mappings = new MongoMappingContext();

	private HiLoNamingStrategy naming = (type, collection) -> collection;

	public static MissingValues of(MappedSequenceNames names, AssignIds assignIds, List<String> packages) {
		return new MissingValues(new KnownTypes(names,
				new AssignmentRule(assignIds != AssignIds.NONE, assignIds == AssignIds.ALL, packages)));
	}

	void nameBy(HiLoNamingStrategy naming) {
		this.naming = naming;
	}

	void know(Class<?>... types) {
		List.of(types).forEach(this::entity);
	}

	MongoPersistentEntity<?> entity(Class<?> type) {
		return this.mappings.getRequiredPersistentEntity(type);
	}

	MappedSequenceNames names() {
		HiLoNamingStrategy naming = this.naming;
		return new MappedSequenceNames(() -> this.mappings, () -> naming, List::of);
	}

	KnownTypes types() {
		return new KnownTypes(names(), new AssignmentRule(true, true, List.of()));
	}

	MissingValues values(AssignIds assignIds) {
		return of(names(), assignIds, List.of());
	}

}
