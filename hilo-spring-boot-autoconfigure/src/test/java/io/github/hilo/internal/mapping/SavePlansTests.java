package io.github.hilo.internal.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.github.hilo.autoconfigure.AssignIds;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Which plans are kept, by how often the naming strategy is asked.
 */
@ExtendWith(OutputCaptureExtension.class)
class SavePlansTests {

	private final Assignments assignments = new Assignments();

	private final List<String> asked = new ArrayList<>();

	private boolean fails;

	private final Assignments.Assignment assignment;

	SavePlansTests() {
		this.assignments.nameBy((type, collection) -> {
			this.asked.add(collection);
			if (this.fails) {
				throw new IllegalStateException("no tenant");
			}
			return collection;
		});
		this.assignment = this.assignments.values(AssignIds.ALL);
	}

	@Test
	void planOfTheMappedCollectionIsKeptWhateverElseIsSaved() {
		IntStream.range(0, SavePlans.MOST_OTHERS).forEach((i) -> save("archive-" + i));
		SavePlan plan = this.assignment.plans().plan(new Tree(null), "tree");
		assertThat(this.assignment.plans().plan(new Tree(null), "tree")).isSameAs(plan);
	}

	@Test
	void plansOfAThousandOtherCollectionsAreKept() {
		for (int i = 0; i < SavePlans.MOST_OTHERS; i++) {
			save("archive-" + i);
			save("archive-" + i);
		}
		assertThat(this.asked).doesNotHaveDuplicates();
		SavePlan plan = this.assignment.plans().plan(new Tree(null), "one-more");
		assertThat(this.assignment.plans().plan(new Tree(null), "one-more")).isNotSameAs(plan).isEqualTo(plan);
	}

	@Test
	void sequenceThatCouldNotBeNamedIsAskedForAgainAndIsOneWarning(CapturedOutput output) {
		this.fails = true;
		for (int i = 0; i < 2; i++) {
			assertThatIllegalStateException().isThrownBy(() -> save("archive")).withMessage("no tenant");
		}
		this.assignment.missing(new Tree(5L), "archive");
		assertThat(output).containsOnlyOnce("Chosen values of 'id' of " + Tree.class.getName());
		this.fails = false;
		save("archive");
		assertThat(this.asked).filteredOn("archive"::equals).hasSize(4);
		save("archive");
		assertThat(this.asked).filteredOn("archive"::equals).hasSize(4);
	}

	private void save(String collection) {
		assertThat(this.assignment.missing(new Tree(null), collection)).extracting(CountedField::sequence)
			.containsExactly(collection);
	}

	record Tree(@Nullable Long id) {
	}

}
