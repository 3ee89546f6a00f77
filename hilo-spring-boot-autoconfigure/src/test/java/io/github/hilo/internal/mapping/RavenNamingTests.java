package io.github.hilo.internal.mapping;

import java.util.Locale;
import java.util.regex.Pattern;

import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.modifier.Visibility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RavenNamingTests {

	private static final String PLURALS = """
			Account=accounts Activity=activities Alias=aliases Analysis=analyses Aircraft=aircrafts Album=albums
			Appendix=appendixes Array=arrays Article=articles Axis=axes Basis=bases Batch=batches Bonus=bonuses
			Brush=brushes Business=businesses Calf=calves City=cities Class=classes Company=companies
			Corpus=corpuses Country=countries Crisis=crises Criterion=criteria Currency=currencies
			Customer=customers Data=datas Datum=data Delivery=deliveries Device=devices Diagnosis=diagnoses
			Dish=dishes Echo=echoes Employee=employees Entry=entries Euro=euroes Event=events Feedback=feedbacks
			Foot=feet Focus=focuses Genus=genera Goose=geese Half=halves Hero=heroes History=histories
			Hypothesis=hypotheses Index=indexes Inventory=inventories Key=keys Leaf=leaves Life=lives
			Lens=lenses Loaf=loafs Matrix=matrixes Media=medias Medium=mediums Memory=memories Message=messages
			Mouse=mice News=news Phenomenon=phenomena Photo=photos Piano=pianos Policy=policies
			Process=processes Product=products Proof=proofs Property=properties Quiz=quizzes Reply=replies
			Roof=roofs Schema=schemas Series=series Sheep=sheep Shelf=shelves Species=species Staff=staffs
			Status=statuses Story=stories Survey=surveys Tax=taxes Thesis=theses Thief=thiefs Tooth=teeth
			Toy=toys Video=videos Virus=viruses Warehouse=warehouses Watch=watches Wife=wives Wolf=wolves
			Woman=women Order=orders Invoice=invoices LineItem=LineItems Person=people SalesPerson=SalesPeople
			Category=categories OrderCategory=OrderCategories Address=addresses Box=boxes Branch=branches
			Child=children Man=men Knife=knives Information=information Equipment=equipment Day=days Bus=buses
			Ox=oxen order=orders lineItem=lineitems X=xes Item=items item=items ItemI=ItemIs
			""";

	private final RavenNaming naming = new RavenNaming();

	/**
	 * They name counters: a new release of the library must not call them otherwise.
	 */
	@Test
	void pluralsStayAsTheyAre() {
		assertThat(Pattern.compile("\\s+").splitAsStream(PLURALS)).allSatisfy((pair) -> {
			int equals = pair.indexOf('=');
			assertThat(sequenceOf(pair.substring(0, equals))).isEqualTo(pair.substring(equals + 1));
		});
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

	private String sequenceOf(String simpleName) {
		Class<?> type = new ByteBuddy().subclass(Object.class)
			.name("com.example." + simpleName)
			.modifiers(Visibility.PUBLIC)
			.make()
			.load(getClass().getClassLoader())
			.getLoaded();
		return this.naming.sequenceName(type, "ignored");
	}

}
