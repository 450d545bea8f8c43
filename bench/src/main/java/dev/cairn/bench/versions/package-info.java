/**
 * Measures the cost of ordering by write instead of by timestamp ({@code NEW_VERSION_BEHAVIOR}):
 * scans and gets with and without it, of the same cells, in memory and in files, in the same run.
 * {@code bench/versions} runs it.
 */
package dev.cairn.bench.versions;
