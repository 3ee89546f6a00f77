package io.github.hilo.internal.mapping;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.hilo.internal.engine.ChosenValue;
import org.bson.Document;

import org.springframework.data.mongodb.core.mapping.MongoPersistentEntity;
import org.springframework.data.util.ProxyUtils;

/**
 * The plans of all saves, each made with the first save of a type to a collection. A plan
 * is kept for the collection that metadata names, and for {@value #MOST_OTHERS} others of
 * all types together. Beyond that it is made for each save, and so is a plan in which a
 * sequence could not be named.
 * <p>
 * Thread-safe: the maps are concurrent, and plans never change. Two threads may make the
 * same plan.
 */
public final class SavePlans {

	static final int MOST_OTHERS = 1_000;

	private final KnownTypes types;

	private final Map<Class<?>, SavedType> saved = new ConcurrentHashMap<>();

	private final AtomicInteger others = new AtomicInteger();

	public SavePlans(KnownTypes types) {
		this.types = types;
	}

	public KnownTypes types() {
		return this.types;
	}

	public SavePlan plan(Object entity, String collection) {
		SavedType type = this.saved.get(entity.getClass());
		SavePlan plan = (type != null) ? type.plans.get(collection) : null;
		return (plan != null) ? plan : make((type != null) ? type : read(entity), collection);
	}

	/**
	 * Finds the ids and numbers of a document that is about to be stored: those that were
	 * issued for it, and those that the application has chosen.
	 */
	public List<ChosenValue> chosen(Object entity, Document document, String collection) {
		// With the plan the fields are registered.
		plan(entity, collection);
		return this.types.chosen(document, collection);
	}

	private SavedType read(Object saved) {
		// Outside of the map's lock, because mapping a type may create its indexes.
		MongoPersistentEntity<?> entity = this.types.mapped().entityOf(ProxyUtils.getUserClass(saved));
		// Even if no ids are assigned here, chosen ones are excluded from the first save
		// on.
		this.types.nameTypes();
		SavedType type = new SavedType((entity != null) ? this.types.requireAssigned(entity) : List.of(),
				(entity != null && MappedType.collectionExpressionOf(entity) == null) ? entity.getCollection() : "");
		SavedType known = this.saved.putIfAbsent(saved.getClass(), type);
		return (known != null) ? known : type;
	}

	private SavePlan make(SavedType type, String collection) {
		if (type.properties.isEmpty()) {
			return SavePlan.NOTHING;
		}
		List<CountedField> fields = new ArrayList<>();
		Map<NumberedProperty, Throwable> unnamed = new HashMap<>();
		for (NumberedProperty property : type.properties) {
			try {
				CountedField field = new CountedField(property, this.types.names().nameOf(property, collection),
						property.placeIn(collection));
				this.types.register(field);
				fields.add(field);
			}
			catch (RuntimeException | LinkageError ex) {
				this.types.log().notNamed(property, ex);
				unnamed.put(property, ex);
			}
		}
		SavePlan plan = new SavePlan(List.copyOf(fields), Map.copyOf(unnamed));
		boolean isOther = !collection.equals(type.collection);
		if (unnamed.isEmpty() && (!isOther || this.others.get() < MOST_OTHERS)) {
			boolean isNew = type.plans.putIfAbsent(collection, plan) == null;
			if (isNew && isOther) {
				this.others.incrementAndGet();
			}
		}
		return plan;
	}

	/**
	 * A type that is saved.
	 */
	private static final class SavedType {

		private final List<NumberedProperty> properties;

		// The collection that metadata names, or an empty string if it can change.
		private final String collection;

		private final Map<String, SavePlan> plans = new ConcurrentHashMap<>();

		private SavedType(List<NumberedProperty> properties, String collection) {
			this.properties = properties;
			this.collection = collection;
		}

	}

}
