/**
 * Looks into a data folder without serving it: what Apache HBase left there, and what of it this
 * server carries over. {@link dev.cairn.server.exchange.FolderInspection} reads, writing nothing
 * and taking no lock; {@link dev.cairn.server.exchange.ImportReport} is what comes out.
 */
package dev.cairn.server.exchange;
