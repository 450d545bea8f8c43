/**
 * The parts of the hot paths, each alone, under JMH: comparing, memory, merging, cell blocks, the
 * log, row keys; the parts of store files are in {@link dev.cairn.bench.hfile.Parts}. {@code
 * bin/cairn bench jmh} runs them. In come options of JMH; out comes what JMH prints.
 */
package dev.cairn.bench.parts;
