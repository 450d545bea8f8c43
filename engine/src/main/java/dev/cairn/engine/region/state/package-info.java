/**
 * What reads, writes and flushes of one region share: its stores, its read points, the gate that
 * counts who is inside, and its settings.
 */
package dev.cairn.engine.region.state;
