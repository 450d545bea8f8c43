/**
 * The way to the rows of other tables, which the constraints of a table refer to: their regions
 * from {@code hbase:meta}, and calls to the servers of these.
 */
package dev.cairn.server.regionserver.reference;
