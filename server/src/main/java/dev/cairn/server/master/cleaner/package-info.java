/**
 * Deletes unneeded files: archived store files ({@link
 * dev.cairn.server.master.cleaner.HFileCleaner}), old logs ({@link
 * dev.cairn.server.master.cleaner.LogCleaner}) and unused MOB files ({@link
 * dev.cairn.server.master.cleaner.MobCleaner}). A cleaner uses only the storage; a thread of the
 * process calls it. Imports no other room of the master.
 */
package dev.cairn.server.master.cleaner;
