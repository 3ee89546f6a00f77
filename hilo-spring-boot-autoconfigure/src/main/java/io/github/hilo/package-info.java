/**
 * What users touch: the generator and its handles, the annotation, the naming strategy
 * and the exceptions. Nothing else of ours appears here.
 */
@NullMarked
package io.github.hilo;

import org.jspecify.annotations.NullMarked;
