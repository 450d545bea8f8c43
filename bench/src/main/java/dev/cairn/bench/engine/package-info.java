/**
 * The engine without a network beside RocksDB (through its Java API) and, as the upper bound, a
 * skip list in memory: the same rows with the same durability, cache, blocks and compression, put,
 * got and scanned in turns, each side in a process of its own. In come a {@link
 * dev.cairn.bench.engine.Setting} and how often; out comes what an operation took of time,
 * processors and heap.
 */
package dev.cairn.bench.engine;
