/**
 * Measures the cost of a row in a scan of a region that lies in a file and, in part and in several
 * versions, also in memory, as after updates. {@code bench/rows} runs it.
 */
package dev.cairn.bench.rows;
