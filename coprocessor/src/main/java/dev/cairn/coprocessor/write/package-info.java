/**
 * Writes of a region between the hooks of its coprocessors: {@code HookedBatch} has the order of
 * the hooks.
 */
package dev.cairn.coprocessor.write;
