/**
 * Deletes files that nobody needs any more: archived store files ({@link
 * dev.cairn.server.master.cleaner.HFileCleaner}), old logs ({@link
 * dev.cairn.server.master.cleaner.LogCleaner}) and unused MOB files ({@link
 * dev.cairn.server.master.cleaner.MobCleaner}). A cleaner uses nothing but the storage; a thread of
 * the process calls it. Imports no other room of the master.
 */
package dev.cairn.server.master.cleaner;
