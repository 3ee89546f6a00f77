package io.github.hilo.sample.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import de.bwaldvogel.mongo.MongoBackend;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DataFileTests {

	private final Path directory;

	DataFileTests(@TempDir Path directory) {
		this.directory = directory;
	}

	@Test
	void createsFileAndItsDirectories() {
		Path file = this.directory.resolve("some/where/shop.db");
		new DataFile(file).open().close();
		assertThat(file).isRegularFile();
	}

	@Test
	void refusesFileThatIsOpen() {
		DataFile file = new DataFile(this.directory.resolve("shop.db"));
		MongoBackend first = file.open();
		assertRefused(file, "another process has it open");
		first.close();
		file.open().close();
	}

	@Test
	void refusesDirectory() {
		assertRefused(new DataFile(this.directory), "it is a directory");
	}

	@Test
	void refusesFileBelowFile() throws IOException {
		Path parent = Files.createFile(this.directory.resolve("parent"));
		assertRefused(new DataFile(parent.resolve("shop.db")), "its directory cannot be created");
	}

	@Test
	void refusesFileOfAnotherKindAndKeepsIt() throws IOException {
		String text = "Don't forget the milk.\n".repeat(200);
		Path notes = Files.writeString(this.directory.resolve("notes.txt"), text);
		assertRefused(new DataFile(notes), "H2 cannot open it");
		assertThat(notes).hasContent(text);
	}

	private static void assertRefused(DataFile file, String reason) {
		assertThatExceptionOfType(DataFileException.class).isThrownBy(file::open)
			.withMessageStartingWith("The data file " + file.path() + " cannot be used: " + reason);
	}

}
