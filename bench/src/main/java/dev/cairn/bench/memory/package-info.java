/**
 * {@code bin/cairn bench memory}: runs clients that demand more memory than a server has. Shows
 * whether the server survives, the latencies of other clients, and whether the server releases the
 * memory.
 */
package dev.cairn.bench.memory;
