package io.github.hilo;

import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.github.hilo.autoconfigure.AssignIds;
import io.github.hilo.autoconfigure.HiLoProperties;
import io.github.hilo.autoconfigure.Naming;
import io.github.hilo.data.HiLoBeforeConvertCallback;
import io.github.hilo.data.ReactiveHiLoBeforeConvertCallback;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import io.github.hilo.reactive.ReactiveHiLoSequence;
import io.github.hilo.test.InMemoryHiLoIdGenerator;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.annotation.Configuration;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which package may use what, and what is public.
 */
class ArchitectureTests {

	private static final String ROOT = "io.github.hilo";

	private static final String INTERNAL = ROOT + ".internal";

	private static final String AUTO_CONFIGURE = ROOT + ".autoconfigure";

	private static final String REACTIVE = ROOT + ".reactive";

	private static final String DATA = ROOT + ".data";

	private static final String TEXT = INTERNAL + ".text";

	private static final String STORE = INTERNAL + ".store";

	private static final String MONGODB = INTERNAL + ".mongodb";

	private static final String STORED = INTERNAL + ".stored";

	private static final String SEQUENCE = INTERNAL + ".sequence";

	private static final String MAPPING = INTERNAL + ".mapping";

	private static final String ENGINE = INTERNAL + ".engine";

	/**
	 * What a package may use besides the API, which is the root package, and itself.
	 */
	private static final Map<String, String[]> MAY_USE = Map.ofEntries(
			Map.entry(ROOT, new String[] { "org.springframework.dao", "org.springframework.core.annotation" }), //
			Map.entry(TEXT, new String[] {}), //
			Map.entry(STORE, new String[] { TEXT }), //
			Map.entry(SEQUENCE, new String[] { TEXT, STORE }), //
			Map.entry(ENGINE, new String[] { TEXT, STORE, SEQUENCE, REACTIVE, "reactor.core..", "org.slf4j" }), //
			Map.entry(MONGODB,
					new String[] { TEXT, STORE, "com.mongodb..", "org.bson..", "reactor.core..",
							"org.reactivestreams" }), //
			Map.entry(STORED, new String[] { TEXT, STORE, MONGODB, "com.mongodb", "org.bson..", "org.slf4j" }), //
			Map.entry(INTERNAL + ".counter",
					new String[] { TEXT, STORE, MONGODB, STORED, "com.mongodb..", "org.bson..", "org.slf4j",
							"reactor.core.." }), //
			Map.entry(REACTIVE, new String[] { "reactor.core.." }), //
			Map.entry(MAPPING,
					new String[] { TEXT, STORE, ENGINE, "org.bson..", "org.springframework.data.convert",
							"org.springframework.data.core", "org.springframework.data.mapping..",
							"org.springframework.data.mongodb.core.mapping",
							"org.springframework.data.mongodb.core.convert", "org.springframework.data.util",
							"org.springframework.core.annotation", "org.springframework.core.convert",
							"org.springframework.util", "org.atteo.evo.inflector", "org.slf4j" }), //
			Map.entry(DATA,
					new String[] { REACTIVE, "org.springframework.core",
							"org.springframework.data.mongodb.core.mapping.event" }), //
			Map.entry(INTERNAL + ".data",
					new String[] { TEXT, STORE, SEQUENCE, ENGINE, MAPPING, DATA, REACTIVE, "reactor.core..",
							"reactor.util.context", "org.reactivestreams", "org.bson..", "org.springframework.data..",
							"org.springframework.core", "org.springframework.util", "org.slf4j" }), //
			Map.entry(INTERNAL + ".actuate",
					new String[] { TEXT, SEQUENCE, ENGINE, "org.springframework.aot.hint.annotation",
							"org.springframework.boot.actuate..", "org.springframework.boot.health.." }), //
			Map.entry(INTERNAL + ".metrics", new String[] { TEXT, STORE, SEQUENCE, ENGINE, "io.micrometer.." }), //
			Map.entry(INTERNAL + ".log", new String[] { TEXT, STORE, SEQUENCE, ENGINE, "org.slf4j" }), //
			Map.entry(ROOT + ".test",
					new String[] { TEXT, STORE, MAPPING, "org.springframework.core.env",
							"org.springframework.boot.context.properties.bind",
							"org.springframework.data.mongodb.core.mapping" }));

	/**
	 * What users name in their code or their configuration; whatever else is public is so
	 * for another package of ours.
	 */
	static final Set<Class<?>> FOR_USERS = Set.of(HiLoIdGenerator.class, HiLoSequence.class, HiLoNamingStrategy.class,
			HiLo.class, HiLoUnavailableException.class, HiLoDocumentException.class, HiLoExhaustedException.class,
			HiLoMappingException.class, HiLoBeforeConvertCallback.class, AssignIds.class, ReactiveHiLoIdGenerator.class,
			ReactiveHiLoSequence.class, ReactiveHiLoBeforeConvertCallback.class, HiLoProperties.class, Naming.class,
			InMemoryHiLoIdGenerator.class);

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages(ROOT);

	@ParameterizedTest
	@MethodSource
	void packageUsesTheApiAndWhatItIsAllowedTo(String name) {
		assertThat(MAY_USE).as("what a new package may use is written down").containsKey(name);
		String[] allowed = Stream
			.concat(Stream.of("java..", "org.jspecify.annotations", ROOT, name), Stream.of(MAY_USE.get(name)))
			.toArray(String[]::new);
		classes().that()
			.resideInAPackage(name)
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage(allowed)
			.check(CLASSES);
	}

	static Stream<String> packageUsesTheApiAndWhatItIsAllowedTo() {
		return packages().filter((name) -> !name.equals(AUTO_CONFIGURE));
	}

	@Test
	void whatUsersCallNamesNoInternalType() {
		assertThat(types().filter((type) -> !type.getPackageName().startsWith(INTERNAL + "."))
			.filter((type) -> FOR_USERS.stream().anyMatch(type::isEquivalentTo))
			.flatMap((type) -> type.getCodeUnits().stream())
			.filter((member) -> member.getModifiers().contains(JavaModifier.PUBLIC)))
			.isNotEmpty()
			.allSatisfy((member) -> assertThat(
					Stream.concat(Stream.of(member.getRawReturnType()), member.getRawParameterTypes().stream()))
				.as(member.getFullName())
				.noneMatch((named) -> named.getPackageName().startsWith(INTERNAL + ".")));
	}

	@Test
	void packagesHaveNoCycles() {
		slices().matching("io.github.(**)").should().beFreeOfCycles().check(CLASSES);
	}

	@ParameterizedTest
	@MethodSource("packages")
	void packageIsNullMarked(String name) {
		assertThat(CLASSES.getPackage(name).isAnnotatedWith(NullMarked.class)).isTrue();
	}

	@Test
	void autoConfigurationsArePublicAndFinalWithoutPublicMembers() {
		assertThat(types().filter((type) -> type.isAnnotatedWith(AutoConfiguration.class))).isNotEmpty()
			.allSatisfy((type) -> {
				assertThat(type.getModifiers()).contains(JavaModifier.PUBLIC, JavaModifier.FINAL);
				assertThat(type.getMembers()).extracting(JavaMember::getModifiers)
					.noneMatch((modifiers) -> modifiers.contains(JavaModifier.PUBLIC));
			});
	}

	@Test
	void autoConfigurationsAreThoseOfTheImports() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader())
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith(ROOT + ".")))
			.containsExactlyInAnyOrderElementsOf(types().filter((type) -> type.isAnnotatedWith(AutoConfiguration.class))
				.map(JavaClass::getName)
				.toList());
	}

	@Test
	void otherConfigurationsArePackagePrivate() {
		assertThat(types().filter((type) -> type.isAnnotatedWith(Configuration.class))).isNotEmpty()
			.noneMatch((type) -> type.getModifiers().contains(JavaModifier.PUBLIC));
	}

	@Test
	void whatIsPublicIsForUsersOrForAnotherPackageOfOurs() {
		assertThat(publicForAnotherPackage()).isNotEmpty()
			.allSatisfy((type) -> assertThat(type.getDirectDependenciesToSelf()).extracting(Dependency::getOriginClass)
				.extracting(JavaClass::getPackageName)
				.as("%s is used by another package", type.getName())
				.anyMatch((user) -> !user.equals(type.getPackageName())));
	}

	@Test
	void publicClassIsFinalOrAbstractOrAnException() {
		assertThat(types().filter(ArchitectureTests::isPublic)
			.filter((type) -> !type.isInterface() && !type.isAssignableTo(Throwable.class)))
			.allSatisfy((type) -> assertThat(type.getModifiers()).as(type.getName())
				.containsAnyOf(JavaModifier.FINAL, JavaModifier.ABSTRACT));
	}

	static Stream<String> packages() {
		return types().map(JavaClass::getPackage).map(JavaPackage::getName).distinct().sorted();
	}

	private static Stream<JavaClass> types() {
		return CLASSES.stream();
	}

	private static Stream<JavaClass> publicForAnotherPackage() {
		return types().filter(ArchitectureTests::isPublic)
			.filter((type) -> !type.isNestedClass() && !type.isAnnotatedWith(AutoConfiguration.class))
			.filter((type) -> FOR_USERS.stream().noneMatch(type::isEquivalentTo));
	}

	private static boolean isPublic(JavaClass type) {
		return type.getModifiers().contains(JavaModifier.PUBLIC);
	}

}
