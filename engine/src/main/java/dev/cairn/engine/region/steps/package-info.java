/**
 * Writes of a region in steps, for callers that act between the steps, such as hooks of
 * coprocessors. Ordinary writes come in one call, {@link dev.cairn.engine.region.Region#write}.
 */
package dev.cairn.engine.region.steps;
