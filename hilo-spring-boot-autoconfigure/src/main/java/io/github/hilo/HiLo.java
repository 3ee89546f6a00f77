package io.github.hilo;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

/**
 * Says how an entity type gets its ids, or that another property gets numbers.
 * <p>
 * <b>On a type</b>, or on its id property: which sequence the ids come from, and whether
 * there are any. Its presence opts the type in where {@code hilo.assign-ids} is
 * {@code annotated} or {@code hilo.packages} leaves the type out. Where the id can hold
 * neither a number nor a text, it stays Spring Data's: the annotation names the sequence
 * of {@code nextId(Type.class)} alone, which a line at start-up says.
 * <p>
 * <b>On any other property</b> of a document type (a field, a record component or an
 * accessor): where the property is {@code null} when the document is saved, or 0 if it is
 * a primitive, it gets the next number if it is a {@code Long}, {@code Integer},
 * {@code long} or {@code int}, and the next document id if it is a {@code String}. That
 * includes documents that were stored without one. A type may have several such
 * properties, and its id need not be one of ours: <pre>
 * &#64;Document("customers")
 * record Customer(&#64;Id ObjectId id, &#64;HiLo &#64;Indexed(unique = true) Long number, String name) {
 * }
 * </pre> Any other type of property, a transient one, and a nested type with such a
 * property are refused with an {@link IllegalStateException}: at start-up, or when the
 * type is first saved, as far as declared types tell. A nested type that is a
 * {@code @Document} or has an id is accepted; its property is ignored when nested.
 * <p>
 * {@code hilo.assign-ids=none} switches all of it off; {@code annotated}, and
 * {@code enabled = false} on the type, concern the id alone.
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
	 * Name of the counter. Types and properties that name the same one share it. Empty:
	 * for ids the naming strategy decides, for other properties it is
	 * {@code <collection>.<stored field name>}, such as {@code customers.number}.
	 * @return the sequence's name, or an empty string
	 */
	@AliasFor("value")
	String sequence() default "";

	/**
	 * Whether documents of the type get an id before they are saved, or the property a
	 * number.
	 * @return {@code false} to leave the type's ids, or the property, alone
	 */
	boolean enabled() default true;

}
