/**
 * Limits the resources that a table's hooks take from other tables: threads for openings, closings,
 * flushes and compactions ({@link dev.cairn.server.regionserver.hooked.HookedThreads}), and
 * handlers ({@link dev.cairn.server.regionserver.hooked.HandlerShares}).
 */
package dev.cairn.server.regionserver.hooked;
