package io.github.hilo;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.domain.JavaType;
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
import reactor.blockhound.integration.BlockHoundIntegration;

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

	/**
	 * What a package may use besides the API, which is the root package, and itself.
	 * Names that begin with a dot are of ours.
	 */
	private static final Map<String, List<String>> MAY_USE = """
			                   | org.springframework.dao, org.springframework.core.annotation
			.reactive          | reactor.core..
			.data              | .reactive, org.springframework.core
			.data              | org.springframework.data.mongodb.core.mapping.event
			.internal.text     | java..
			.internal.store    | .internal.text
			.internal.sequence | .internal.text, .internal.store
			.internal.engine   | .internal.text, .internal.store, .internal.sequence, .reactive
			.internal.engine   | reactor.core.., reactor.blockhound.., org.slf4j..
			.internal.mongodb  | .internal.text, .internal.store
			.internal.mongodb  | com.mongodb.., org.bson.., reactor.core.., org.reactivestreams, org.slf4j
			.internal.check   | .internal.text, .internal.store, .internal.mongodb
			.internal.check   | com.mongodb, org.bson.., org.slf4j
			.internal.counter  | .internal.text, .internal.store, .internal.mongodb, .internal.check
			.internal.counter  | com.mongodb.., org.bson.., reactor.core.., org.slf4j
			.internal.mapping  | .internal.text, .internal.store, .internal.mongodb, .internal.engine, org.bson.., org.slf4j
			.internal.mapping  | org.springframework.core.annotation, org.springframework.core.convert
			.internal.mapping  | org.springframework.data.convert, org.springframework.data.core
			.internal.mapping  | org.springframework.data.mapping.., org.springframework.data.util
			.internal.mapping  | org.springframework.data.mongodb.core.mapping
			.internal.mapping  | org.springframework.data.mongodb.core.convert
			.internal.mapping  | org.springframework.data.mongodb.util
			.internal.mapping  | org.springframework.util, org.atteo.evo.inflector
			.internal.save     | .internal.text, .internal.store, .internal.sequence, .internal.engine, .internal.mapping
			.internal.save     | .data, .reactive, reactor.core.., reactor.util.context, org.reactivestreams
			.internal.save     | org.springframework.data.., org.springframework.core, org.springframework.util
			.internal.save     | org.bson.., org.slf4j
			.internal.actuate  | .internal.text, .internal.sequence, .internal.engine
			.internal.actuate  | org.springframework.boot.actuate.., org.springframework.boot.health..
			.internal.actuate  | org.springframework.aot.hint.annotation
			.internal.metrics  | .internal.text, .internal.store, .internal.sequence, .internal.engine, io.micrometer..
			.internal.log      | .internal.text, .internal.store, .internal.sequence, .internal.engine, org.slf4j..
			.test              | .autoconfigure, .internal.text, .internal.store, .internal.mapping
			.test              | org.springframework.core.env
			.test              | org.springframework.boot.context.properties.bind
			.test              | org.springframework.data.mongodb.core.mapping
			.test              | org.springframework.data.mongodb.core.convert
			"""
		.lines()
		.map((line) -> line.split("\\|"))
		.collect(Collectors.groupingBy((row) -> ROOT + row[0].strip(), Collectors.flatMapping(
				(row) -> Stream.of(row[1].strip().split(", ")).map((name) -> name.startsWith(".") ? ROOT + name : name),
				Collectors.toList())));

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
			.concat(Stream.of("java..", "org.jspecify.annotations", ROOT, name),
					MAY_USE.getOrDefault(name, List.of()).stream())
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
		assertThat(types().filter((type) -> FOR_USERS.stream().anyMatch(type::isEquivalentTo))).isNotEmpty()
			.allSatisfy((type) -> {
				assertNoneIsInternal(type.getName(),
						Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream()));
				assertThat(type.getCodeUnits())
					.filteredOn((member) -> member.getModifiers().contains(JavaModifier.PUBLIC))
					.allSatisfy((member) -> assertNoneIsInternal(member.getFullName(),
							Stream.concat(Stream.of(member.getReturnType()), member.getParameterTypes().stream())));
			});
	}

	/**
	 * Looks at type arguments, too.
	 */
	private static void assertNoneIsInternal(String user, Stream<JavaType> named) {
		assertThat(named.flatMap((type) -> type.getAllInvolvedRawTypes().stream())).as(user)
			.noneMatch((type) -> type.getPackageName().startsWith(INTERNAL + "."));
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
			.filter((type) -> !type.isAssignableTo(BlockHoundIntegration.class))
			.filter((type) -> FOR_USERS.stream().noneMatch(type::isEquivalentTo));
	}

	private static boolean isPublic(JavaClass type) {
		return type.getModifiers().contains(JavaModifier.PUBLIC);
	}

}
