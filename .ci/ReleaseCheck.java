import java.io.IOException;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;

import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/**
 * Checks a staged release by the rules that a public repository publishes, and by ours.
 * Arguments: two folders with the same release, each built from a copy of its own, and the
 * checked-in text of the API.
 */
public class ReleaseCheck {

	private static final String GROUP = "io/github/hilo";

	private static final List<String> ARTIFACTS = List.of("hilo-spring-boot-autoconfigure",
			"hilo-spring-boot-starter");

	private static final List<String> SUFFIXES = List.of(".pom", ".jar", "-sources.jar", "-javadoc.jar",
			"-cyclonedx.json");

	/** Central's requirements for a POM. */
	private static final List<String> REQUIRED = List.of("groupId", "artifactId", "version", "name", "description",
			"url", "licenses/license/name", "licenses/license/url", "developers/developer/name", "scm/connection",
			"scm/developerConnection", "scm/url");

	/** What would reach into the build of a user. */
	private static final List<String> FORBIDDEN = List.of("parent", "dependencyManagement", "repositories",
			"pluginRepositories", "profiles", "build");

	private final XPath xpath = XPathFactory.newInstance().newXPath();

	private final List<String> faults = new ArrayList<>();

	public static void main(String[] args) throws Exception {
		ReleaseCheck check = new ReleaseCheck();
		check.check(Path.of(args[0]), Path.of(args[1]), Path.of(args[2]));
		check.faults.forEach((fault) -> System.out.println("release check: " + fault));
		if (!check.faults.isEmpty()) {
			System.exit(1);
		}
		System.out.println("release check: " + ARTIFACTS.size() + " artifacts are complete, and equal when built twice");
	}

	private void check(Path first, Path second, Path api) throws Exception {
		require(list(first.resolve(GROUP), Files::isDirectory).equals(new TreeSet<>(ARTIFACTS)),
				first + ": other artifacts than " + ARTIFACTS + " would be published");
		for (String artifact : ARTIFACTS) {
			Path folder = version(first.resolve(GROUP).resolve(artifact));
			Path again = version(second.resolve(GROUP).resolve(artifact));
			String stem = artifact + "-" + folder.getFileName();
			Set<String> expected = new TreeSet<>();
			SUFFIXES.forEach((suffix) -> expected.add(stem + suffix));
			Set<String> actual = list(folder, (file) -> !file.toString().matches(".*\\.(md5|sha\\d+|asc)"));
			require(actual.equals(expected), folder + " has " + actual + " instead of " + expected);
			for (String file : actual) {
				require(Files.mismatch(folder.resolve(file), again.resolve(file)) == -1,
						file + " differs when it is built again");
			}
			checkPom(folder.resolve(stem + ".pom"));
			checkJar(folder.resolve(stem + ".jar"), folder.resolve(stem + "-sources.jar"));
			require(Files.readString(folder.resolve(stem + "-cyclonedx.json")).contains("\"CycloneDX\""),
					stem + "-cyclonedx.json is no CycloneDX document");
		}
		Path autoconfigure = version(first.resolve(GROUP).resolve(ARTIFACTS.get(0)));
		checkJavadoc(autoconfigure.resolve(ARTIFACTS.get(0) + "-" + autoconfigure.getFileName() + "-javadoc.jar"), api);
	}

	private void checkPom(Path pom) throws Exception {
		Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
		for (String path : REQUIRED) {
			require(!text(document, "/project/" + path).isBlank(), pom + " has no " + path);
		}
		for (String path : FORBIDDEN) {
			require(nodes(document, "/project/" + path).getLength() == 0, pom + " has <" + path + ">");
		}
		require(!Files.readString(pom).contains("${"), pom + " has a property that is not filled in");
		String url = text(document, "/project/url");
		require(text(document, "/project/scm/url").equals(url), pom + ": scm/url is not " + url);
		NodeList dependencies = nodes(document, "/project/dependencies/dependency");
		require(dependencies.getLength() > 0, pom + " has no dependency");
		for (int i = 0; i < dependencies.getLength(); i++) {
			String name = this.xpath.evaluate("artifactId", dependencies.item(i));
			String version = this.xpath.evaluate("version", dependencies.item(i));
			String scope = this.xpath.evaluate("scope", dependencies.item(i));
			require(version.matches("[\\d.]+(-M\\d+|\\.RELEASE|\\.Final)?"), pom + ": " + name + " has version " + version);
			require(!scope.equals("test"), pom + ": " + name + " is for tests");
			if (this.xpath.evaluate("groupId", dependencies.item(i)).equals("org.springframework.boot")) {
				require(version.startsWith("4.1."),
						pom + ": " + name + " " + version + " is not of the oldest supported line of Spring Boot");
			}
		}
	}

	private void checkJar(Path jar, Path sources) throws IOException {
		Set<String> names = entries(jar);
		Set<String> sourceNames = entries(sources);
		require(names.contains("META-INF/LICENSE"), jar + " has no META-INF/LICENSE");
		for (String name : names) {
			if (name.endsWith(".class")) {
				String source = name.replaceFirst("(\\$.*)?\\.class$", ".java");
				require(sourceNames.contains(source), jar + ": " + name + " is not among the sources that are published");
				require(!name.contains("/fixture/") && !name.matches(".*Tests(\\$.*)?\\.class"),
						jar + ": " + name + " is for tests");
			}
		}
	}

	private void checkJavadoc(Path javadoc, Path api) throws IOException {
		Set<String> expected = new TreeSet<>();
		try (Stream<String> lines = Files.lines(api)) {
			lines.filter((line) -> !line.isBlank() && !Character.isWhitespace(line.charAt(0)) && !line.startsWith("#"))
				.map((line) -> line.replaceFirst(".*\\b(?:class|interface|record|enum|@interface) ([\\w.$]+).*", "$1"))
				.map((name) -> name.replace('$', '.'))
				.forEach(expected::add);
		}
		Set<String> documented = new TreeSet<>();
		for (String name : entries(javadoc)) {
			if (name.matches(".*/io/github/hilo/.*\\.html") && !name.contains("/package-")) {
				documented.add(name.substring(name.indexOf("io/github/hilo"), name.length() - ".html".length())
					.replace('/', '.'));
			}
		}
		require(documented.equals(expected), javadoc + " documents " + documented + " instead of " + expected);
	}

	private static Set<String> entries(Path jar) throws IOException {
		try (JarFile file = new JarFile(jar.toFile())) {
			return new TreeSet<>(file.stream().map(ZipEntry::getName).toList());
		}
	}

	private static Path version(Path artifact) throws IOException {
		return artifact.resolve(list(artifact, Files::isDirectory).iterator().next());
	}

	private static Set<String> list(Path folder, Predicate<Path> which) throws IOException {
		try (Stream<Path> files = Files.list(folder)) {
			return new TreeSet<>(files.filter(which).map((file) -> file.getFileName().toString()).toList());
		}
		catch (UncheckedIOException ex) {
			throw ex.getCause();
		}
	}

	private NodeList nodes(Document document, String path) throws Exception {
		return (NodeList) this.xpath.evaluate(path, document, XPathConstants.NODESET);
	}

	private String text(Document document, String path) throws Exception {
		return this.xpath.evaluate(path, document);
	}

	private void require(boolean holds, String fault) {
		if (!holds) {
			this.faults.add(fault);
		}
	}

}
