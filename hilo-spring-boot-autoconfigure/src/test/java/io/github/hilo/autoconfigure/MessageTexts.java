package io.github.hilo.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import org.jspecify.annotations.Nullable;

/**
 * The texts in sources that users may read in an exception or in a log line of level WARN
 * or above.
 * <p>
 * A text is a string literal of at least {@value #FEWEST_WORDS} words with all that is
 * concatenated to it; what is no literal is a {@value #GAP}. So the parts of a message
 * that is put together elsewhere are texts, too. Annotations, lower log levels and the
 * descriptions of meters are left out.
 */
final class MessageTexts extends TreeScanner<@Nullable Void, Set<String>> {

	static final String GAP = "…";

	private static final int FEWEST_WORDS = 3;

	private static final Set<String> OTHER_CALLS = Set.of("trace", "debug", "info", "description", "counter", "gauge");

	private MessageTexts() {
	}

	/**
	 * Collects the texts of all sources below a directory.
	 */
	static Set<String> of(Path directory) throws IOException {
		JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "needs a JDK");
		Set<String> texts = new LinkedHashSet<>();
		try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
				Stream<Path> sources = Files.walk(directory)) {
			List<Path> paths = sources.filter((source) -> source.toString().endsWith(".java")).sorted().toList();
			JavacTask task = (JavacTask) compiler.getTask(null, files, null, List.of("-proc:none"), null,
					files.getJavaFileObjectsFromPaths(paths));
			MessageTexts scanner = new MessageTexts();
			for (CompilationUnitTree unit : task.parse()) {
				scanner.scan(unit, texts);
			}
		}
		return texts;
	}

	/**
	 * Makes texts of a source and of a page comparable.
	 */
	static String normalize(String text) {
		return text.replaceAll("\\{}|%[sd]", GAP)
			.replace("%n", " ")
			.replaceAll("\\s+", " ")
			.replaceAll("(" + GAP + ")+", GAP)
			.replaceAll("^[" + GAP + " .:;,]+|[" + GAP + " ]+$", "");
	}

	@Override
	public @Nullable Void visitAnnotation(AnnotationTree annotation, Set<String> texts) {
		return null;
	}

	@Override
	public @Nullable Void visitMethodInvocation(MethodInvocationTree call, Set<String> texts) {
		Tree method = call.getMethodSelect();
		String name = (method instanceof MemberSelectTree member) ? member.getIdentifier().toString()
				: method.toString();
		return OTHER_CALLS.contains(name) ? null : super.visitMethodInvocation(call, texts);
	}

	@Override
	public @Nullable Void visitBinary(BinaryTree binary, Set<String> texts) {
		if (binary.getKind() != Tree.Kind.PLUS) {
			return super.visitBinary(binary, texts);
		}
		add(concatenated(binary, texts), texts);
		return null;
	}

	@Override
	public @Nullable Void visitLiteral(LiteralTree literal, Set<String> texts) {
		if (literal.getValue() instanceof String text) {
			add(text, texts);
		}
		return null;
	}

	private String concatenated(Tree tree, Set<String> texts) {
		if (tree instanceof BinaryTree binary && binary.getKind() == Tree.Kind.PLUS) {
			return concatenated(binary.getLeftOperand(), texts) + concatenated(binary.getRightOperand(), texts);
		}
		if (tree instanceof LiteralTree literal && literal.getValue() instanceof String text) {
			return text;
		}
		scan(tree, texts);
		return GAP;
	}

	private static void add(String text, Set<String> texts) {
		String normalized = normalize(text);
		if (normalized.replace(GAP, " ").strip().split("\\s+").length >= FEWEST_WORDS) {
			texts.add(normalized);
		}
	}

}
