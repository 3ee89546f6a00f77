/**
 * What happens at a save: which template saves to which database, and which values the
 * document gets.
 */
@NullMarked
package io.github.hilo.internal.save;

import org.jspecify.annotations.NullMarked;
