/**
 * Writes of a region that call the hooks of its coprocessors. {@code HookedBatch} determines the
 * order of the hooks.
 */
package dev.cairn.coprocessor.write;
