package io.github.hilo.autoconfigure;

import java.io.File;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;

import io.github.hilo.HiLoIdGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.BeanUtils;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link HiLoAutoConfiguration} where one driver's classes can't be loaded at
 * all, and for a class that is registered by itself, as tests of applications do: Spring
 * reads its configurations by reflection then.
 */
class OneDriverTests {

	@ParameterizedTest
	@CsvSource({
			"(mongodb-driver-reactivestreams|reactor-core).*, com.mongodb.reactivestreams.client.MongoClient, false",
			"mongodb-driver-sync.*, com.mongodb.client.MongoClient, true" })
	void startsWithoutTheOtherDriver(String jars, String missing, boolean reactive) throws Exception {
		URL[] classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.map(Path::of)
			.filter((path) -> !path.getFileName().toString().matches(jars))
			.map(OneDriverTests::urlOf)
			.toArray(URL[]::new);
		ClassLoader own = Thread.currentThread().getContextClassLoader();
		try (URLClassLoader loader = new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
			assertThatException().isThrownBy(() -> loader.loadClass(missing))
				.isInstanceOf(ClassNotFoundException.class);
			Thread.currentThread().setContextClassLoader(loader);
			Class<?> application = loader.loadClass((reactive ? Reactive.class : Blocking.class).getName());
			((Runnable) BeanUtils.instantiateClass(application)).run();
			// Its methods name the classes of both drivers.
			assertThat(Class.forName("io.github.hilo.internal.mongodb.CommandSettings", true, loader)).isNotNull();
		}
		finally {
			Thread.currentThread().setContextClassLoader(own);
		}
	}

	private static URL urlOf(Path path) {
		try {
			return path.toUri().toURL();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static <T> void start(Class<T> factory, String callback, String otherCallback) {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			InvocationHandler unused = (proxy, method, args) -> {
				throw new UnsupportedOperationException(method.toString());
			};
			context.registerBean(factory, () -> factory
				.cast(Proxy.newProxyInstance(factory.getClassLoader(), new Class<?>[] { factory }, unused)));
			context.register(HiLoAutoConfiguration.class);
			context.refresh();
			assertThat(context.getBeanNamesForType(HiLoIdGenerator.class)).hasSize(1);
			assertThat(context.containsBean(callback)).isTrue();
			assertThat(context.containsBean(otherCallback)).isFalse();
		}
	}

	static final class Blocking implements Runnable {

		@Override
		public void run() {
			start(MongoDatabaseFactory.class, "hiLoBeforeConvertCallback", "reactiveHiLoBeforeConvertCallback");
		}

	}

	static final class Reactive implements Runnable {

		@Override
		public void run() {
			start(ReactiveMongoDatabaseFactory.class, "reactiveHiLoBeforeConvertCallback", "hiLoBeforeConvertCallback");
		}

	}

}
