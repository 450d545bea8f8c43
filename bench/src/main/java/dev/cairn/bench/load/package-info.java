/**
 * The load: operations on a server, through HBase's unmodified client, and their speed. A {@link
 * dev.cairn.bench.load.LoadDriver} runs {@link dev.cairn.bench.load.Workload}s, as fast as it can
 * or at a fixed rate, and answers with counts and latencies; {@link
 * dev.cairn.bench.load.LoadProcess} is the same in a JVM of its own.
 */
package dev.cairn.bench.load;
