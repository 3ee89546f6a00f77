package io.github.hilo;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

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
	 * Name of the counter. Types that name the same one share it. Empty: the naming
	 * strategy decides.
	 * @return the sequence's name, or an empty string
	 */
	String sequence() default "";

	/**
	 * Whether documents of the type get an id before they are saved.
	 * @return {@code false} to leave the type's ids alone
	 */
	boolean enabled() default true;

}
