/**
 * Deletes files that nobody needs any more: archived store files ({@link
 * dev.cairn.server.master.cleaner.HFileCleaner}), old logs ({@link
 * dev.cairn.server.master.cleaner.LogCleaner}) and unused MOB files ({@link
 * dev.cairn.server.master.cleaner.MobCleaner}). Each cleaner works on the storage alone and is
 * called on a thread of the process. Imports no other room of the master.
 */
package dev.cairn.server.master.cleaner;
