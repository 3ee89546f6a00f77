package io.github.hilo.autoconfigure;

import io.github.hilo.HiLo;

/**
 * The entity types that get ids before they are saved.
 */
public enum AssignIds {

	/**
	 * Every type in {@code hilo.packages}, by default all outside
	 * {@code org.springframework}, except those with {@code @HiLo(enabled = false)}.
	 */
	ALL,

	/**
	 * Only types with {@code @HiLo}, unless it is disabled there.
	 */
	ANNOTATED,

	/**
	 * No type.
	 */
	NONE

}
