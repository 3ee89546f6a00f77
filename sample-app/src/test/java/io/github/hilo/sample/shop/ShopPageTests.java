package io.github.hilo.sample.shop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page docs/sample.md shows the whole shop, as it is compiled.
 */
class ShopPageTests {

	private static final Path SHOP = Path.of("src/main/java/io/github/hilo/sample/shop");

	/** What a screen shows without scrolling. */
	private static final int SCREEN = 60;

	private static final Pattern BLOCK = Pattern.compile("```(java|yaml)\n(.*?)```", Pattern.DOTALL);

	@Test
	void pageShowsTheShopInOneScreen() throws IOException {
		String code = block("java");
		assertThat(code.lines()).hasSizeLessThanOrEqualTo(SCREEN);
		assertThat(linesOf(code)).containsExactlyElementsOf(Stream
			.of("Order", "OrderRepository", "Invoice", "InvoiceRepository", "Customer", "CustomerRepository",
					"ShopController")
			.flatMap((name) -> linesOf(codeOf(SHOP.resolve(name + ".java"))).stream())
			.toList());
		try (Stream<Path> files = Files.list(SHOP)) {
			assertThat(files).as("shown, and the description of the package").hasSize(7 + 1);
		}
	}

	@Test
	void pageShowsTheShopsSettings() throws IOException {
		assertThat(Files.readString(Path.of("src/main/resources/application.yml"))).contains(block("yaml"));
	}

	private static String block(String language) throws IOException {
		Matcher block = BLOCK.matcher(Files.readString(Path.of("../docs/sample.md")));
		while (block.find()) {
			if (block.group(1).equals(language)) {
				return block.group(2);
			}
		}
		throw new AssertionError("No block of " + language);
	}

	/** Without package, imports and Javadoc. */
	private static String codeOf(Path file) {
		try {
			return Files.readString(file)
				.replaceAll("(?s)/\\*\\*.*?\\*/", "")
				.replaceAll("(?m)^(package|import) .*$", "");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<String> linesOf(String code) {
		return code.lines().map(String::strip).filter((line) -> !line.isEmpty()).toList();
	}

}
