package io.github.hilo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A reader of {@code take(1, false)} must open the method. So a method or a constructor
 * of this library gets no boolean literal: two methods, or an enum, say what it means.
 */
class BooleanLiteralTests {

	// Methods of the JDK that have the names of methods of this library.
	private static final Set<String> ALSO_OF_THE_JDK = Set.of("cancel", "stream");

	private final List<CompilationUnitTree> files = parse(Path.of("src/main/java"));

	@Test
	void callOfThisLibraryHasNone() {
		Set<String> ours = namesDeclaredIn(this.files);
		ours.removeAll(ALSO_OF_THE_JDK);
		assertThat(ours).contains("nextId", "Place");
		List<String> calls = new ArrayList<>();
		visitCalls((name, call, arguments) -> {
			if (ours.contains(name) && arguments.stream().anyMatch(BooleanLiteralTests::isBooleanLiteral)) {
				calls.add(call.toString());
			}
		});
		assertThat(calls).isEmpty();
	}

	private static boolean isBooleanLiteral(ExpressionTree argument) {
		return argument.getKind() == Tree.Kind.BOOLEAN_LITERAL;
	}

	private static Set<String> namesDeclaredIn(List<CompilationUnitTree> files) {
		Set<String> names = new HashSet<>();
		new TreeScanner<@Nullable Void, @Nullable Void>() {

			@Override
			public @Nullable Void visitMethod(MethodTree method, @Nullable Void none) {
				names.add(method.getName().toString());
				return super.visitMethod(method, null);
			}

			@Override
			public @Nullable Void visitClass(ClassTree type, @Nullable Void none) {
				names.add(type.getSimpleName().toString());
				return super.visitClass(type, null);
			}

		}.scan(files, null);
		return names;
	}

	private void visitCalls(CallVisitor visitor) {
		new TreeScanner<@Nullable Void, @Nullable Void>() {

			@Override
			public @Nullable Void visitMethodInvocation(MethodInvocationTree call, @Nullable Void none) {
				visitor.visit(nameOf(call.getMethodSelect()), call, call.getArguments());
				return super.visitMethodInvocation(call, null);
			}

			@Override
			public @Nullable Void visitNewClass(NewClassTree call, @Nullable Void none) {
				visitor.visit(nameOf(call.getIdentifier()), call, call.getArguments());
				return super.visitNewClass(call, null);
			}

		}.scan(this.files, null);
	}

	private static String nameOf(ExpressionTree called) {
		return (called instanceof MemberSelectTree member) ? member.getIdentifier().toString() : called.toString();
	}

	private static List<CompilationUnitTree> parse(Path folder) {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		try (Stream<Path> files = Files.walk(folder); var manager = compiler.getStandardFileManager(null, null, null)) {
			List<Path> sources = files.filter((file) -> file.toString().endsWith(".java")).toList();
			JavacTask task = (JavacTask) compiler.getTask(null, manager, null, null, null,
					manager.getJavaFileObjectsFromPaths(sources));
			List<CompilationUnitTree> parsed = new ArrayList<>();
			task.parse().forEach(parsed::add);
			return parsed;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private interface CallVisitor {

		void visit(String name, ExpressionTree call, List<? extends ExpressionTree> arguments);

	}

}
