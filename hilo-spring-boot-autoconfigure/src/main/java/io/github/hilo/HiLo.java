package io.github.hilo;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

/**
 * Says how an entity type gets its ids. Its presence opts the type in where
 * {@code hilo.assign-ids} is {@code annotated}.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface HiLo {

	/**
	 * Alias for {@link #sequence()}, for {@code @HiLo("orders")}.
	 * @return the sequence's name, or an empty string
	 */
	@AliasFor("sequence")
	String value() default "";

	/**
	 * Name of the counter. Types that name the same one share it. Empty: the naming
	 * strategy decides.
	 * @return the sequence's name, or an empty string
	 */
	@AliasFor("value")
	String sequence() default "";

	/**
	 * Whether documents of the type get an id before they are saved.
	 * @return {@code false} to leave the type's ids alone
	 */
	boolean enabled() default true;

}
