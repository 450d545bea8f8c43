/**
 * Looks into a data folder without serving it: the data that Apache HBase left there, and the part
 * that this server carries over. {@link dev.cairn.server.exchange.FolderInspection} reads, writing
 * nothing and taking no lock; {@link dev.cairn.server.exchange.ImportReport} is the result.
 */
package dev.cairn.server.exchange;
