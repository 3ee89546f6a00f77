/**
 * One counter in one process: who gets which of its numbers, and when.
 * {@link io.github.hilo.internal.sequence.SequenceState} decides,
 * {@link io.github.hilo.internal.sequence.RangeSequence} adds the lock, time and I/O, and
 * {@link io.github.hilo.internal.sequence.RangeCursor} issues numbers without a lock.
 *
 * <h2>Words</h2>
 * <ul>
 * <li><b>sequence</b>: the numbers of one counter; <b>range</b>: what one reservation
 * got; <b>segment</b>: a part of a range with a <b>cursor</b> of its own, from which
 * callers take numbers.
 * <li><b>reserve</b>: raise the counter and get a range, which the counter <b>grants</b>;
 * <b>issue</b>: give a number to a caller, who takes it; <b>return</b>: write the
 * unissued end of a range back; <b>release</b>: return all that is held; <b>raise</b>:
 * set the counter to at least a floor; <b>discard</b>: forget numbers that nobody will
 * get; <b>reset</b>: forget everything, because this process may be a copy.
 * <li><b>paused</b>: the engine is stopped, and nothing is held.
 * <li><b>text</b>: an id that is a string with a number in it, such as
 * {@code orders/33-A}.
 * <li><b>place</b>: a database, a collection and a field where numbers are stored; a
 * <b>known type</b>'s place is in its metadata or was seen at a save; <b>find</b>: a
 * command that asks which numbers of a held range are stored in a place; <b>covered</b>:
 * a find has shown that in this place; <b>window</b>: numbers above a find of a
 * consecutive sequence that it has shown to be free; <b>chosen</b>: set by the
 * application; <b>excluded</b>: never issued, because it was chosen or is stored.
 * <li><b>step</b>: what one pass through the lock has decided; <b>waiter</b>: a caller
 * and the numbers that it needs, and, where there were too few, its place in the queue;
 * its <b>phase</b> is what it waits for; <b>settled</b>: its outcome is decided, once: it
 * is served or refused, or has left.
 * </ul>
 *
 * <h2>What may happen in which state</h2> More than one state can apply. <pre>
 * a sequence             predicate               what happens
 *
 * holds ranges           Step.holdsRanges        callers take from the published cursor;
 *                                                the next range may be reserved ahead
 * holds nothing          otherwise: consecutive, no cursor is published; a batch shares a
 *                        paused or closed        reservation, what it leaves is returned
 * has an operation       isOperationInFlight     no other one starts; callers are served
 *                                                from what is held; finds start and end
 * covers for a batch     isCovering              no operation starts; the batch is served
 * releases               isReleasing             no find starts, unless a batch needs it;
 *                                                the next operation returns what is held
 * is closed              Mode.CLOSED             callers are refused; what is held is
 *                                                returned
 * had no room            isHopeless              blocks of that size or more are refused
 *
 * a waiter               predicate               what ends it
 *
 * waits for a range      Phase.RANGE             a range with enough numbers, or the
 *                                                failure of a reservation by its client
 * waits for a find       Phase.CHECK             the find that covers the range in its
 *                                                place, or the failure of a find by its
 *                                                client
 * is settled             isSettled               nothing: it is served, is refused or has
 *                                                left
 * </pre>
 *
 * <h2>Why no stored document is overwritten</h2>
 * <ol>
 * <li>Each {@link io.github.hilo.internal.sequence.HeldRange} has the places where it is
 * covered, at first none. Places are added and never removed.</li>
 * <li>A caller whose number goes to a place first looks whether the cursor's range is
 * covered there, and then takes from that same cursor. A caller without a place looks
 * whether the range is covered in as many of the sequence's
 * {@link io.github.hilo.internal.store.Places} as there are when the caller arrives.</li>
 * <li>A range is covered in a place after a find for the numbers from the next one on.
 * Before the sequence adds the place, it seals the cursor and excludes the numbers up to
 * the highest that the find met. So when the find was sent, no document of the place had
 * a number that a cursor of the range can still issue. In a consecutive sequence, that
 * find may have been sent up to a second before the range arrived
 * ({@link io.github.hilo.internal.sequence.Windows}).</li>
 * <li>Before the application stores a document with a number of its choice, the number is
 * noted in {@link io.github.hilo.internal.sequence.ChosenNumbers}, and then excluded from
 * the ranges that are held: the sequence ends the cursor that could issue the number, and
 * every later cursor of the range ends before that number or begins behind it. A range
 * that arrives is first held, and then takes over what is noted. So a number is noted
 * before the range reads it, or the range is held when the number is excluded.</li>
 * <li>What is noted is forgotten after five minutes. By then the document is stored, and
 * the find of a range that arrives sees it. What a range excludes ends with the
 * range.</li>
 * </ol>
 *
 * <h2>What the lock of a sequence guards</h2> Its state and all that belongs to it. Other
 * threads read only these without the lock: <pre>
 * field                                 how it is safe
 *
 * RangeSequence.current                 volatile; published once a step has served its
 *                                       waiters; callers take from it
 * RangeSequence.passed                  volatile; published before the cursor, for saves
 *                                       with a chosen id
 * RangeCursor.taken                     atomic; callers take by it
 * HeldRange.covered                     concurrent; places are only added, and callers
 *                                       that take look first
 * HeldRange.coveredUpTo                 volatile; only grows, after the exclusion, for
 *                                       callers without a place
 * HeldRanges.next, HeldRanges.current   volatile; a range is in next before it reads what
 *                                       was chosen, and until it is current
 * HeldRange.excluded                    concurrent; a number is added after the cursor
 *                                       has ended that could issue it
 * Waiter.settled                        atomic; its caller may leave by it
 * Waiter.runs                           complete before the answer, read after it
 * </pre>
 */
@NullMarked
package io.github.hilo.internal.sequence;

import org.jspecify.annotations.NullMarked;
