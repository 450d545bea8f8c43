/**
 * Looks up the rows of other tables to which a table's constraints refer: finds their regions in
 * {@code hbase:meta}, and calls the servers of these regions.
 */
package dev.cairn.server.regionserver.reference;
