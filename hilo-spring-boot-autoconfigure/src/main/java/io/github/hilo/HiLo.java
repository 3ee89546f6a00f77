package io.github.hilo;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

/**
 * Configures the ids of an entity type, or gives numbers to another of its properties.
 * <p>
 * <b>On a type</b>, or on its id property, the annotation names the sequence of the ids
 * and switches them on or off. A type with the annotation gets ids even if
 * {@code hilo.assign-ids} is {@code annotated} or {@code hilo.packages} leaves the type
 * out. If the id can hold neither a number nor a text, Spring Data still creates the id.
 * The annotation then names only the sequence of {@code nextId(Type.class)}, and a line
 * at start-up says so.
 * <p>
 * <b>On any other property</b> of a document type (a field, a record component or an
 * accessor), the annotation fills the property when a document is saved and the property
 * is {@code null}, or 0 if it is a primitive. A {@code Long}, {@code Integer},
 * {@code long} or {@code int} gets the next number, a {@code String} the next document
 * id. Documents that were stored without a value get one at their next save. A type can
 * have several such properties, and its id can be of any kind: <pre>
 * &#64;Document("customers")
 * record Customer(&#64;Id ObjectId id, &#64;HiLo &#64;Indexed(unique = true) Long number, String name) {
 * }
 * </pre> A property of another type, a transient property, and a nested type with such a
 * property are refused with an {@link IllegalStateException} at start-up, or when the
 * type is first saved. Only declared types are inspected. A nested type that is a
 * {@code @Document} or has an id is accepted; its property is ignored when nested.
 * <p>
 * {@code hilo.assign-ids=none} switches off all ids and numbers. {@code annotated}, and
 * {@code enabled = false} on the type, concern only the id.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.FIELD, ElementType.METHOD })
public @interface HiLo {

	/**
	 * Alias for {@link #sequence()}, for {@code @HiLo("orders")}.
	 * @return the sequence's name, or an empty string
	 */
	@AliasFor("sequence")
	String value() default "";

	/**
	 * Name of the counter. Types and properties with the same name share the counter. The
	 * name is literal, and an expression such as <code>${…}</code> is refused. If the
	 * name is empty, the naming strategy names the sequence of ids, and the sequence of
	 * another property is {@code <collection>.<stored field name>}, such as
	 * {@code customers.number}.
	 * @return the sequence's name, or an empty string
	 */
	@AliasFor("value")
	String sequence() default "";

	/**
	 * Whether documents of the type get ids before they are saved, or the property gets
	 * numbers.
	 * @return {@code false} to leave the type's ids, or the property, to the application
	 */
	boolean enabled() default true;

}
