package io.github.hilo.data;

import java.util.List;

/**
 * Assignments for tests.
 */
final class Assignments {

	private Assignments() {
	}

	static IdAssignment of(MappedSequenceNames names, AssignIds assignIds, List<String> packages) {
		AssignmentRule rule = new AssignmentRule(assignIds, packages);
		return of(names, new StoredIdPlaces(names, rule), rule);
	}

	static IdAssignment of(MappedSequenceNames names, StoredIdPlaces places, AssignmentRule rule) {
		return new IdAssignment(names, places, rule);
	}

}
