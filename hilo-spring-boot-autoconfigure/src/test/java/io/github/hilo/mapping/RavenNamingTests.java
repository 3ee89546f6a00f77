package io.github.hilo.mapping;

import java.util.Locale;

import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.modifier.Visibility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class RavenNamingTests {

	private final RavenNaming naming = new RavenNaming();

	@ParameterizedTest
	@CsvSource(textBlock = """
			Order,         orders
			Invoice,       invoices
			LineItem,      LineItems
			Person,        people
			SalesPerson,   SalesPeople
			Category,      categories
			OrderCategory, OrderCategories
			Address,       addresses
			Box,           boxes
			Branch,        branches
			Child,         children
			Man,           men
			Knife,         knives
			Information,   information
			Equipment,     equipment
			Day,           days
			Bus,           buses
			Ox,            oxen
			order,         orders
			lineItem,      lineitems
			X,             xes
			Item,          items
			item,          items
			ItemI,         ItemIs
			""")
	void typeNameBecomesItsPlural(String type, String sequence) {
		assertThat(sequenceOf(type)).isEqualTo(sequence);
	}

	@Test
	void turkishDefaultLocaleChangesNothing() {
		Locale before = Locale.getDefault();
		Locale.setDefault(Locale.forLanguageTag("tr-TR"));
		try {
			assertThat(sequenceOf("Invoice")).isEqualTo("invoices");
			assertThat(sequenceOf("LineItem")).isEqualTo("LineItems");
			assertThat(sequenceOf("Information")).isEqualTo("information");
		}
		finally {
			Locale.setDefault(before);
		}
	}

	@Test
	void collectionDoesNotMatter() {
		assertThat(this.naming.sequenceName(Order.class, "archive")).isEqualTo("orders");
	}

	private String sequenceOf(String simpleName) {
		Class<?> type = new ByteBuddy().subclass(Object.class)
			.name("com.example." + simpleName)
			.modifiers(Visibility.PUBLIC)
			.make()
			.load(getClass().getClassLoader())
			.getLoaded();
		return this.naming.sequenceName(type, "ignored");
	}

	record Order(long id) {
	}

}
