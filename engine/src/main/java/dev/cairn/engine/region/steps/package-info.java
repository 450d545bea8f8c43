/**
 * The writes of a region in steps, for callers that act between the steps: hooks of a table.
 * Ordinary writes come in one call, {@link dev.cairn.engine.region.Region#write}.
 */
package dev.cairn.engine.region.steps;
