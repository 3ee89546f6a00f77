package io.github.hilo.autoconfigure;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.github.hilo.HiLo;
import io.github.hilo.internal.mapping.Assignments;
import io.github.hilo.internal.mapping.MappedSequenceNames;
import io.github.hilo.internal.mapping.MappingReport;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;

import static org.assertj.core.api.Assertions.assertThat;

class HiLoBackendIdConverterTests {

	private final MongoMappingContext mappings = new MongoMappingContext();

	private final HiLoBackendIdConverter converter = new HiLoBackendIdConverter(
			(entity) -> new MappingReport(Assignments
				.of(new MappedSequenceNames(() -> this.mappings, () -> (type, collection) -> collection, List::of),
						AssignIds.ALL, List.of())
				.types()).areTextIdsAssigned(entity, (sequence) -> true));

	@ParameterizedTest
	@CsvSource({ "orders/54-A, orders~~54-A", "orders/NorthServer/54-A, orders~~NorthServer~~54-A",
			"eu/orders/54, eu~~orders~~54", "/, ~~", "//, ~~~~", "a/, a~~", "/a, ~~a", "~/, ~!~~", "/~, ~~~!",
			"a~b/c, a~!b~~c", "/!, ~~!", "~!, ~!!", "~~, ~!~!", "~~~, ~!~!~!", "orders~~54-A, orders~!~!54-A",
			"a~!b, a~!!b" })
	void idThatIsNoSegmentOrLooksLikeAnotherIsEscaped(String id, String segment) {
		assertThat(toRequestId(id)).isEqualTo(segment);
		assertThat(fromRequestId(segment)).isEqualTo(id);
	}

	@ParameterizedTest
	@ValueSource(strings = { "orders-54-A", "orders:54-A", "507f1f77bcf86cd799439011", "~", "~jane", "jane~", "a~b",
			"LETTER~1.DOC", "!", "a!~b", "~ !", "a b", "50%", "%2F", "%7E%7E", "a?b#c", "a;b=c", "\\", "..", "\u00fc",
			"\uD83D\uDE00", "" })
	void everyOtherIdStaysAsItIs(String id) {
		assertThat(toRequestId(id)).isEqualTo(id);
		assertThat(fromRequestId(id)).isEqualTo(id);
	}

	@Test
	void everyIdComesBackAndNoTwoHaveTheSameUrl() {
		Map<String, String> ids = new HashMap<>();
		Random random = new Random(4711);
		for (int i = 0; i < 100_000; i++) {
			String id = text(random);
			String segment = toRequestId(id);
			assertThat(segment).doesNotContain("/");
			assertThat(fromRequestId(segment)).as(segment).isEqualTo(id);
			assertThat(ids.merge(segment, id, (first, second) -> first)).as(segment).isEqualTo(id);
		}
	}

	@Test
	void documentsThatGetTextIdsAreSupported() {
		List.of(Order.class, Invoice.class, Customer.class, Line.class, LeftAlone.class)
			.forEach(this.mappings::getPersistentEntity);
		assertThat(this.converter.supports(Order.class)).isTrue();
		assertThat(this.converter.supports(Invoice.class)).as("a number").isFalse();
		assertThat(this.converter.supports(Customer.class)).as("an ObjectId").isFalse();
		assertThat(this.converter.supports(Line.class)).as("no id").isFalse();
		assertThat(this.converter.supports(LeftAlone.class)).as("gets no ids here").isFalse();
	}

	@Test
	void typeOfAnotherStoreIsNotSupportedAndDoesNotBecomeADocument() {
		assertThat(this.converter.supports(Order.class)).isFalse();
		assertThat(this.mappings.getPersistentEntities()).isEmpty();
	}

	private String toRequestId(String id) {
		return this.converter.toRequestId(id, Order.class);
	}

	private String fromRequestId(String segment) {
		return this.converter.fromRequestId(segment, Order.class);
	}

	private static String text(Random random) {
		StringBuilder text = new StringBuilder();
		for (int length = random.nextInt(9); length > 0; length--) {
			text.append("//~~!!a1".charAt(random.nextInt(8)));
		}
		return text.toString();
	}

	record Order(@Id @Nullable String id) {
	}

	record Invoice(@Id long id) {
	}

	record Customer(@Id @Nullable ObjectId id) {
	}

	record Line(int amount) {
	}

	@HiLo(enabled = false)
	record LeftAlone(@Id @Nullable String id) {
	}

}
