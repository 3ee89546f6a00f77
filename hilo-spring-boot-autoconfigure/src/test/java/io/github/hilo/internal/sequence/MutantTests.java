package io.github.hilo.internal.sequence;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import io.github.hilo.fixture.Exhaustive;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.fixture.WithoutWarnings;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.MethodDelegation;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Shows that the tests can fail. Each {@link EngineMutant} is a class of the engine with
 * one method replaced, and names the {@link Scenario} that notices; so do the mutants of
 * {@link io.github.hilo.internal.counter.CounterMutant} in {@link SimulationTests}. Each
 * runs with all of our classes, main and test, in a class loader of its own.
 */
@ExtendWith(WithoutWarnings.class)
@Thorough
class MutantTests {

	private static final int MOST_ATTEMPTS = 60;

	@ParameterizedTest
	@EnumSource
	@Exhaustive
	void scenarioFindsNothingWrongWithTheCore(Scenario scenario) throws Exception {
		assertThat(run(scenario, new OwnClassLoader(null))).isEmpty();
	}

	@ParameterizedTest(name = "{0}")
	@EnumSource
	void scenarioNotices(EngineMutant mutant) throws Exception {
		assertNoticed(mutant);
	}

	private static void assertNoticed(EngineMutant mutant) throws Exception {
		ClassLoader loader = new OwnClassLoader(mutant);
		String noticed = "";
		// On a busy machine threads may need a while to meet.
		for (int attempt = 0; attempt < MOST_ATTEMPTS && noticed.isEmpty(); attempt++) {
			noticed = run(mutant.catcher, loader);
		}
		assertThat(noticed).as("%s", mutant).isNotEmpty();
	}

	private static String run(Scenario scenario, ClassLoader loader) throws Exception {
		Object own = Arrays.stream(loader.loadClass(Scenario.class.getName()).getEnumConstants())
			.filter((constant) -> constant.toString().equals(scenario.name()))
			.findAny()
			.orElseThrow();
		return String.valueOf(((Callable<?>) own).call());
	}

	/**
	 * Loads our classes afresh, with a mutant in one of them.
	 */
	private static final class OwnClassLoader extends ClassLoader {

		private final Map<String, byte[]> changed;

		OwnClassLoader(@Nullable EngineMutant mutant) {
			super(MutantTests.class.getClassLoader());
			this.changed = (mutant != null) ? changed(mutant) : Map.of();
		}

		private static Map<String, byte[]> changed(EngineMutant mutant) {
			try (DynamicType.Unloaded<?> changed = new ByteBuddy().rebase(mutant.type)
				.method(ElementMatchers.named(mutant.method).and(ElementMatchers.not(ElementMatchers.isBridge())))
				.intercept(MethodDelegation.withDefaultConfiguration()
					.filter(ElementMatchers.namedIgnoreCase(mutant.name().replace("_", "")))
					.to(MutantBodies.class))
				.make()) {
				return changed.getAllTypes()
					.entrySet()
					.stream()
					.collect(Collectors.toMap((type) -> type.getKey().getName(), Map.Entry::getValue));
			}
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (!name.startsWith("io.github.hilo.")) {
				return super.loadClass(name, resolve);
			}
			synchronized (getClassLoadingLock(name)) {
				Class<?> loaded = findLoadedClass(name);
				return (loaded != null) ? loaded : define(name);
			}
		}

		private Class<?> define(String name) throws ClassNotFoundException {
			byte[] bytes = this.changed.get(name);
			if (bytes == null) {
				try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
					if (file == null) {
						throw new ClassNotFoundException(name);
					}
					bytes = file.readAllBytes();
				}
				catch (IOException ex) {
					throw new ClassNotFoundException(name, ex);
				}
			}
			return defineClass(name, bytes, 0, bytes.length);
		}

	}

}
