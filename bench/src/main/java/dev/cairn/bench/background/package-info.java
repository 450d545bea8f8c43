/**
 * What flushes and compactions cost for each cell, what a read costs that finds nothing in the
 * cache, and how long a large store takes to open. {@code bench/background} runs it.
 */
package dev.cairn.bench.background;
