/**
 * Measures the cost of flushes and compactions for each cell, the cost of a read that finds nothing
 * in the cache, and the time to open a large store. {@code bench/background} runs it.
 */
package dev.cairn.bench.background;
