package io.github.hilo.autoconfigure;

import io.github.hilo.HiLo;

/**
 * The entity types that get ids before they are saved.
 */
public enum AssignIds {

	/**
	 * Every type outside {@code org.springframework}, except those with
	 * {@code @HiLo(enabled = false)}.
	 */
	ALL,

	/**
	 * Types with {@code @HiLo} only.
	 */
	ANNOTATED,

	/**
	 * No type.
	 */
	NONE

}
