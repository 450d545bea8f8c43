/**
 * Streaming sketches of traffic: the most frequent rows and prefixes of a stream, in fixed memory
 * and with a stated error. Input: keys with weights. Output: {@link
 * dev.cairn.server.traffic.sketch.SpaceSaving.HeavyKey}s. Knows no region and no server.
 */
package dev.cairn.server.traffic.sketch;
