/**
 * Shows tests the inside of the fast paths. All calls are in {@code assert} statements, so they
 * cost nothing where assertions are off, as in a server.
 *
 * <p>{@link dev.cairn.engine.probe.Marks} counts how often branches that exist for speed were
 * taken; {@link dev.cairn.engine.probe.ReadMark} names those of the engine's reads. {@link
 * dev.cairn.engine.probe.Loans} overwrites bytes whose loan has ended. The package imports nothing
 * of Cairn.
 */
package dev.cairn.engine.probe;
