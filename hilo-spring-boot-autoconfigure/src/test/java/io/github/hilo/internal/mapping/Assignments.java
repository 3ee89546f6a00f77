package io.github.hilo.internal.mapping;

import java.util.List;

import io.github.hilo.autoconfigure.AssignIds;

/**
 * What settings make of metadata, for tests.
 */
public final class Assignments {

	private Assignments() {
	}

	public static MissingValues of(MappedSequenceNames names, AssignIds assignIds, List<String> packages) {
		AssignmentRule rule = new AssignmentRule(assignIds != AssignIds.NONE, assignIds == AssignIds.ALL, packages);
		return new MissingValues(names, new KnownTypes(names, rule), rule);
	}

}
