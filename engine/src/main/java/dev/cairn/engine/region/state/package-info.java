/**
 * State that the reads, writes and flushes of one region share: its stores, read points and
 * settings, and the gate that counts running operations.
 */
package dev.cairn.engine.region.state;
