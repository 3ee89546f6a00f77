package io.github.hilo.internal.engine;

import java.util.stream.LongStream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.internal.sequence.PlacedSequence;
import io.github.hilo.internal.sequence.RangeSequence;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.TimeSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tells which ids of the application's choice a sequence may issue, in any database.
 */
class ExcludedIdTests {

	private final FakeRangeStore shop = new FakeRangeStore("shop");

	private final FakeRangeStore audit = new FakeRangeStore("audit");

	private final HiLoEngine engine = EngineSettings.DEFAULTS.engine(this.shop, TimeSource.SYSTEM);

	@ParameterizedTest
	@ValueSource(strings = { "orders/3-B", "orders/03-A", "lines/3-A", "orders/-A", "orders", "3", "" })
	void textOfAnotherFormIsNotIssued(String id) {
		assertThat(this.engine.toExclude(new ChosenValue("orders", id, Place.Known.BY_TYPE))).isNull();
	}

	@Test
	void chosenTextIsExcludedWhateverItsPrefix() {
		ChosenNumber chosen = this.engine.toExclude(new ChosenValue("orders", "orders/North/2-A", Place.Known.BY_TYPE));
		assertThat(chosen).isNotNull();
		this.engine.exclude(this.shop, chosen);
		assertThat(orders(this.shop).nextDocumentIds(2)).containsExactly("orders/1-A", "orders/3-A");
		RangeSequence orders = this.engine.sequence(this.shop, "orders");
		assertThat(orders.mustExclude(2)).as("passed").isFalse();
		assertThat(orders.mustExclude(4)).isTrue();
	}

	@Test
	void numberThatOneDatabaseHasPassedIsExcludedInAnother() {
		assertThat(this.engine.toExclude(new ChosenValue("orders", 5L, Place.Known.BY_NAME))).as("of no known type")
			.isNull();
		orders(this.shop).nextIds(10);
		assertThat(this.engine.sequence(this.shop, "orders").mustExclude(5)).isFalse();
		assertThat(this.engine.toExclude(new ChosenValue("orders", 5L, Place.Known.BY_NAME))).isNull();
		assertThat(this.engine.toExclude(new ChosenValue("orders", 5L, Place.Known.BY_TYPE)))
			.as("in a database that must be resolved")
			.isNotNull();
		this.engine.exclude(this.audit, new ChosenNumber("orders", 5, Place.Known.BY_TYPE));
		assertThat(LongStream.of(orders(this.audit).nextIds(6))).containsExactly(1L, 2L, 3L, 4L, 6L, 7L);
		assertThat(this.engine.sequence(this.audit, "orders").mustExclude(5)).isFalse();
	}

	@Test
	void numberIsExcludedInAllDatabasesIfNoneIsKnown() {
		orders(this.shop);
		orders(this.audit);
		this.engine.exclude(null, new ChosenNumber("orders", 1, Place.Known.BY_TYPE));
		assertThat(orders(this.shop).nextId()).isEqualTo(2);
		assertThat(orders(this.audit).nextId()).isEqualTo(2);
	}

	@Test
	void numberIsExcludedInADatabaseThatIsNotMetYet() {
		this.engine.exclude(null, new ChosenNumber("orders", 2, Place.Known.BY_TYPE));
		assertThat(orders(this.audit).nextIds(2)).containsExactly(1, 3);
	}

	@Test
	void numberThatNoCounterReachesIsNotRemembered() {
		assertThat(
				this.engine.toExclude(new ChosenValue("orders", HiLoIdGenerator.MAX_NUMBER + 1, Place.Known.BY_TYPE)))
			.isNull();
		assertThat(this.engine.toExclude(new ChosenValue("orders", HiLoIdGenerator.MAX_NUMBER, Place.Known.BY_TYPE)))
			.isNotNull();
	}

	private PlacedSequence orders(FakeRangeStore store) {
		return this.engine.sequence(store, "orders").placed(null);
	}

}
