/**
 * What happens at a save: which template saves, to which database, and what it gives a
 * document.
 */
@NullMarked
package io.github.hilo.internal.data;

import org.jspecify.annotations.NullMarked;
