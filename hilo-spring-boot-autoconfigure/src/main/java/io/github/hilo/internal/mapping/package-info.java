/**
 * What the mapping metadata of an application says about ids, in three parts.
 * <ol>
 * <li><b>Reading</b>: {@link io.github.hilo.internal.mapping.MappedType} has what a type
 * says about its ids, {@link io.github.hilo.internal.mapping.NumberedProperty} what a
 * property does, and {@link io.github.hilo.internal.mapping.MappedSequenceNames} names
 * the sequence. Each save follows a {@link io.github.hilo.internal.mapping.SavePlan}: the
 * {@link io.github.hilo.internal.mapping.CountedField fields} of one collection that get
 * values. {@link io.github.hilo.internal.mapping.KnownTypes} has the fields of all types,
 * so it knows where the numbers of a sequence are stored.</li>
 * <li><b>Claiming</b>: {@link io.github.hilo.internal.mapping.FieldClaims} lets each
 * field have one counter.</li>
 * <li><b>Telling</b>: {@link io.github.hilo.internal.mapping.MappingReport} describes
 * types at the start and for Spring Data REST, and
 * {@link io.github.hilo.internal.mapping.MappingLog} warns of what somebody may not
 * expect.</li>
 * </ol>
 * The package {@code save} acts on the results.
 */
@NullMarked
package io.github.hilo.internal.mapping;

import org.jspecify.annotations.NullMarked;
