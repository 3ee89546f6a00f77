package io.github.hilo.sample.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import de.bwaldvogel.mongo.MongoBackend;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;

/**
 * The H2 file that the embedded server keeps its data in. Its pages are compressed, which
 * makes it a seventh as large.
 *
 * @param path where it is
 */
record DataFile(Path path) {

	/**
	 * Opens the file, or creates it.
	 * @throws DataFileException if another process has it open, or it can't be read and
	 * written
	 */
	MongoBackend open() {
		if (Files.isDirectory(this.path)) {
			throw new DataFileException(this.path, "it is a directory", null);
		}
		// H2 would open it for reading and fail at the first order.
		if (Files.exists(this.path) && !Files.isWritable(this.path)) {
			throw new DataFileException(this.path, "it is not writable", null);
		}
		try {
			Files.createDirectories(this.path.getParent());
			return new H2Backend(new MVStore.Builder().fileName(this.path.toString()).compress().open());
		}
		catch (IOException ex) {
			throw new DataFileException(this.path, "its directory cannot be created", ex);
		}
		catch (MVStoreException ex) {
			throw new DataFileException(this.path, (ex.getErrorCode() == DataUtils.ERROR_FILE_LOCKED)
					? "another process has it open" : "H2 cannot open it (" + ex.getMessage() + ")", ex);
		}
	}

}
