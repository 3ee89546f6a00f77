package io.github.hilo.applications;

import java.io.ByteArrayInputStream;

import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Thorough;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.gridfs.GridFsOperations;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that keeps the PDF of an invoice in GridFS.
 */
@Thorough
class GridFsTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	@Test
	void filesKeepTheIdsOfGridFsAndOnlyInvoicesHaveACounter() {
		this.database.contextRunner().run((context) -> {
			ObjectId pdf = context.getBean(GridFsOperations.class)
				.store(new ByteArrayInputStream(new byte[] { 1, 2, 3 }), "Ada.pdf");
			context.getBean(MongoOperations.class).insert(new Invoice(null, "Ada", pdf));
			assertThat(this.database.ids("fs.files")).containsExactly(pdf);
		});
		assertThat(this.database.ids("fs.chunks")).hasOnlyElementsOfType(ObjectId.class);
		assertThat(this.database.ids("invoices")).containsExactly("invoices/1-A");
		assertThat(this.database.counters()).containsExactly("Raven/HiLo/invoices");
	}

	@Document("invoices")
	record Invoice(@Id @Nullable String id, String customer, ObjectId pdf) {
	}

}
