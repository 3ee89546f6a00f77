package io.github.hilo.internal.data;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.data.mapping.callback.EntityCallbacks;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.event.BeforeConvertCallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link TemplateCallbacks}.
 */
class TemplateCallbacksTests {

	@Test
	void saveLeavesNothingOnItsThread() throws ReflectiveOperationException {
		Instrumentation agent = (Instrumentation) Class.forName("net.bytebuddy.agent.ByteBuddyAgent")
			.getMethod("install")
			.invoke(null);
		agent.redefineModule(Thread.class.getModule(), Set.of(), Map.of(),
				Map.of("java.lang", Set.of(getClass().getModule())), Set.of(), Map.of());
		boolean[] bound = new boolean[1];
		BeforeConvertCallback<Object> callback = (entity, collection) -> {
			bound[0] = isBound();
			return entity;
		};
		TemplateCallbacks callbacks = new TemplateCallbacks(EntityCallbacks.create(callback),
				mock(MongoTemplate.class));
		callbacks.callback(BeforeConvertCallback.class, new Object(), "things");
		assertThat(bound).containsExactly(true);
		assertThat(isBound()).isFalse();
	}

	private static boolean isBound() {
		try {
			Object values = accessible(Thread.class.getDeclaredField("threadLocals")).get(Thread.currentThread());
			Field saving = accessible(TemplateCallbacks.class.getDeclaredField("SAVING"));
			Method entry = accessible(values.getClass().getDeclaredMethod("getEntry", ThreadLocal.class));
			@Nullable Object found = entry.invoke(values, saving.get(null));
			return found != null;
		}
		catch (ReflectiveOperationException ex) {
			throw new LinkageError(ex.getMessage(), ex);
		}
	}

	private static <T extends AccessibleObject> T accessible(T member) {
		member.setAccessible(true);
		return member;
	}

}
