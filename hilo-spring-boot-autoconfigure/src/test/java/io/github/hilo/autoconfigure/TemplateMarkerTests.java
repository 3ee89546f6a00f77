package io.github.hilo.autoconfigure;

import java.util.Date;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Tests for {@link TemplateMarker}.
 */
@ExtendWith(OutputCaptureExtension.class)
class TemplateMarkerTests {

	/**
	 * A later version of Spring Data may keep callbacks elsewhere.
	 */
	@Test
	void templateWithoutTheFieldIsOneThatCannotBeToldAndIsSaidOnce(CapturedOutput output) {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerSingleton("one", new Template());
		beans.registerSingleton("other", new Template());
		TemplateMarker<Template, Date> marker = new TemplateMarker<>(beans, Template.class, Date.class,
				(callbacks, template) -> fail("there are none"), (template, callbacks) -> fail("none are set"));
		marker.afterSingletonsInstantiated();
		assertThat(output).containsOnlyOnce("The callbacks of " + Template.class.getName() + " cannot be read");
	}

	static class Template {

		final String callbacks = "of another type";

	}

}
