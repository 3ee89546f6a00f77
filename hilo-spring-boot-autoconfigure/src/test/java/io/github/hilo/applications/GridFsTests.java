package io.github.hilo.applications;

import java.io.ByteArrayInputStream;
import java.util.Map;

import io.github.hilo.fixture.ApplicationDatabase;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.gridfs.GridFsOperations;
import org.springframework.stereotype.Service;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that keeps the PDF of an invoice in GridFS.
 */
class GridFsTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void idsOfFilesAreTheSameWithAndWithoutTheStarter(boolean enabled) {
		run(enabled, "Ada");
		assertThat(StoredIdKinds.of(this.database)).containsAllEntriesOf(
				Map.of("fs.files", ObjectId.class.getSimpleName(), "fs.chunks", ObjectId.class.getSimpleName()));
	}

	@Test
	void onlyInvoicesHaveACounter() {
		run(true, "Ada");
		assertThat(this.database.ids("invoices")).containsExactly("invoices/1-A");
		assertThat(this.database.counters()).containsExactly("Raven/HiLo/invoices");
	}

	private void run(boolean enabled, String customer) {
		this.database.contextRunner()
			.withUserConfiguration(Application.class)
			.withPropertyValues("hilo.enabled=" + enabled)
			.run((context) -> context.getBean(Invoices.class).issue(customer));
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Invoices.class)
	static class Application {

	}

	@Service
	static class Invoices {

		private final MongoOperations documents;

		private final GridFsOperations files;

		Invoices(MongoOperations documents, GridFsOperations files) {
			this.documents = documents;
			this.files = files;
		}

		void issue(String customer) {
			ObjectId pdf = this.files.store(new ByteArrayInputStream(new byte[] { 1, 2, 3 }), customer + ".pdf");
			this.documents.insert(new Invoice(null, customer, pdf));
		}

	}

	@Document("invoices")
	record Invoice(@Id @Nullable String id, String customer, ObjectId pdf) {
	}

}
