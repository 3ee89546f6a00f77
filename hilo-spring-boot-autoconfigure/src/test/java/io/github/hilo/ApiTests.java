package io.github.hilo;

import java.io.IOException;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.context.properties.ConfigurationProperties;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The API that users compile against is a checked-in text, so that no change to it goes
 * unnoticed.
 */
class ApiTests {

	private static final Path TEXT = Path.of("api.txt");

	private static final Pattern OWN_TYPE = Pattern.compile("io\\.github\\.hilo\\.[\\w.$]+");

	private static final Set<String> OF_EVERY_RECORD = Set.of("equals", "hashCode", "toString");

	@Test
	void apiIsAsWrittenDown() throws IOException {
		String api = types().map(ApiTests::describe).collect(Collectors.joining("\n"));
		if (Boolean.getBoolean("hilo.api.write")) {
			Files.writeString(TEXT, api);
		}
		assertThat(api)
			.as("the public API; if the change is meant, run mvn -pl hilo-spring-boot-autoconfigure test "
					+ "-Dtest=ApiTests -Dhilo.api.write=true, read the difference in api.txt, "
					+ "and tell users in CHANGELOG.md")
			.isEqualTo(Files.readString(TEXT));
	}

	private static Stream<Class<?>> types() {
		return Stream.concat(ArchitectureTests.FOR_USERS.stream(), autoConfigurations())
			.flatMap(ApiTests::withNested)
			.filter((type) -> Modifier.isPublic(type.getModifiers()))
			.sorted(Comparator.comparing(Class::getName));
	}

	private static Stream<Class<?>> autoConfigurations() {
		return ImportCandidates.load(AutoConfiguration.class, ApiTests.class.getClassLoader())
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith(ApiTests.class.getPackageName()))
			.map(ApiTests::typeOf);
	}

	private static Stream<Class<?>> withNested(Class<?> type) {
		return Stream.concat(Stream.of(type), Stream.of(type.getDeclaredClasses()).flatMap(ApiTests::withNested));
	}

	private static boolean isForUsers(Class<?> type) {
		return ArchitectureTests.FOR_USERS.contains(type) || type.isAnnotationPresent(AutoConfiguration.class);
	}

	/**
	 * Whether users can call it: not what takes or answers a type of ours that is not for
	 * them, and not the constructor of a record that Spring Boot binds, which grows with
	 * each property.
	 */
	private static boolean isForUsers(Executable executable) {
		boolean bound = executable instanceof Constructor
				&& executable.getDeclaringClass().getNestHost().isAnnotationPresent(ConfigurationProperties.class);
		return !bound
				&& Stream
					.concat(Stream.of(executable.getGenericParameterTypes()),
							(executable instanceof Method method) ? Stream.of(method.getGenericReturnType())
									: Stream.empty())
					.flatMap((type) -> OWN_TYPE.matcher(type.getTypeName()).results())
					.map(MatchResult::group)
					.allMatch((name) -> isForUsers(typeOf(name).getNestHost()));
	}

	private static Class<?> typeOf(String name) {
		try {
			return Class.forName(name);
		}
		catch (ClassNotFoundException ex) {
			throw new AssertionError(ex);
		}
	}

	private static String describe(Class<?> type) {
		Stream<String> fields = members(type.getDeclaredFields(), (field) -> describe(field.getModifiers())
				+ field.getName() + ": " + describe(field.getAnnotatedType()));
		Stream<String> constructors = members(type.getDeclaredConstructors(),
				(constructor) -> describe(constructor, "new"));
		Stream<String> methods = members(Arrays.stream(type.getDeclaredMethods())
			.filter((method) -> !type.isRecord() || !OF_EVERY_RECORD.contains(method.getName()))
			.toArray(Method[]::new), (method) -> describe(method, method.getName()) + describeDefault(method));
		return heading(type) + "\n"
				+ Stream.of(fields, constructors, methods)
					.flatMap(Function.identity())
					.map((member) -> "\t" + member + "\n")
					.collect(Collectors.joining());
	}

	private static <M extends Member> Stream<String> members(M[] members, Function<M, String> describe) {
		return Arrays.stream(members)
			.filter((member) -> !member.isSynthetic()
					&& (!(member instanceof Executable executable) || isForUsers(executable))
					&& (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0)
			.map(describe)
			.sorted();
	}

	private static String heading(Class<?> type) {
		String kind = type.isAnnotation() ? "@interface"
				: type.isInterface() ? "interface" : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
		int implied = Modifier.INTERFACE | (type.isInterface() ? Modifier.ABSTRACT | Modifier.STATIC : 0)
				| (type.isEnum() || type.isRecord() ? Modifier.FINAL | Modifier.STATIC : 0);
		StringBuilder heading = new StringBuilder(describe(type.getModifiers() & ~implied)).append(kind)
			.append(' ')
			.append(type.getName())
			.append(describe(type.getTypeParameters()));
		Type superclass = type.getGenericSuperclass();
		if (superclass != null && superclass != Object.class && !type.isEnum() && !type.isRecord()) {
			heading.append(" extends ").append(describe(superclass));
		}
		List<String> interfaces = Arrays.stream(type.getGenericInterfaces()).map(ApiTests::describe).toList();
		if (!interfaces.isEmpty() && !type.isAnnotation()) {
			heading.append(type.isInterface() ? " extends " : " implements ").append(String.join(", ", interfaces));
		}
		return heading.toString();
	}

	private static String describe(Executable executable, String name) {
		String parameters = Arrays.stream(executable.getParameters())
			.map(Parameter::getAnnotatedType)
			.map(ApiTests::describe)
			.collect(Collectors.joining(", "));
		String exceptions = Arrays.stream(executable.getGenericExceptionTypes())
			.map(ApiTests::describe)
			.collect(Collectors.joining(", "));
		String result = (executable instanceof Method method) ? ": " + describe(method.getAnnotatedReturnType()) : "";
		String typeParameters = describe(executable.getTypeParameters());
		int modifiers = executable.getModifiers() & ~(Modifier.TRANSIENT | Modifier.VOLATILE | Modifier.SYNCHRONIZED);
		return describe(modifiers) + (typeParameters.isEmpty() ? "" : typeParameters + " ") + name + "(" + parameters
				+ ")" + result + (exceptions.isEmpty() ? "" : " throws " + exceptions);
	}

	private static String describeDefault(Method method) {
		Object value = method.getDefaultValue();
		return (value != null) ? " default \"" + value + "\"" : "";
	}

	private static String describe(TypeVariable<?>[] parameters) {
		return (parameters.length == 0) ? ""
				: Arrays.stream(parameters)
					.map((parameter) -> parameter.getName() + bounds(parameter))
					.collect(Collectors.joining(", ", "<", ">"));
	}

	private static String bounds(TypeVariable<?> parameter) {
		String bounds = Arrays.stream(parameter.getBounds())
			.filter((bound) -> bound != Object.class)
			.map(ApiTests::describe)
			.collect(Collectors.joining(" & "));
		return bounds.isEmpty() ? "" : " extends " + bounds;
	}

	private static String describe(AnnotatedType type) {
		boolean nullable = type.isAnnotationPresent(Nullable.class);
		if (type instanceof AnnotatedArrayType array) {
			return describe(array.getAnnotatedGenericComponentType()) + (nullable ? " @Nullable []" : "[]");
		}
		return (nullable ? "@Nullable " : "") + describe(type.getType());
	}

	private static String describe(Type type) {
		return type.getTypeName().replaceAll("\\bjava\\.(lang|util|util\\.function|io)\\.(?=[A-Z])", "");
	}

	private static String describe(int modifiers) {
		return (modifiers == 0) ? "" : Modifier.toString(modifiers) + " ";
	}

}
