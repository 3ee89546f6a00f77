package io.github.hilo.internal.mapping;

import java.util.List;
import java.util.stream.Stream;

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

	public static SavePlans of(MappedSequenceNames names, AssignIds assignIds, List<String> packages) {
		return new SavePlans(new KnownTypes(names,
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

	Assignment values(AssignIds assignIds) {
		return new Assignment(of(names(), assignIds, List.of()));
	}

	/**
	 * What types get, as one process sees it.
	 */
	record Assignment(SavePlans plans) {

		KnownTypes types() {
			return this.plans.types();
		}

		List<NumberedProperty> propertiesOf(Object entity) {
			SavePlan plan = this.plans.plan(entity, "any");
			return Stream.concat(plan.fields().stream().map(CountedField::property), plan.unnamed().keySet().stream())
				.toList();
		}

		List<CountedField> missing(Object entity, String collection) {
			return this.plans.plan(entity, collection).missing(entity);
		}

		String start() {
			return new MappingReport(types()).start();
		}

		String rule() {
			return new MappingReport(types()).rule();
		}

	}

}
