/**
 * What a row costs in a scan that lies in a file and, in part and in several versions, in memory
 * too: what scans meet after updates. {@code bench/rows} runs it.
 */
package dev.cairn.bench.rows;
