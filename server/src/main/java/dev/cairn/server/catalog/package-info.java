/**
 * The records of {@code hbase:meta} and the root directory about tables, regions and servers, in
 * HBase's formats: {@link dev.cairn.server.catalog.MetaFormat} knows meta's rows and columns,
 * {@link dev.cairn.server.catalog.Catalog} reads and writes them over RPC, {@link
 * dev.cairn.server.catalog.TableFiles} keeps descriptors and directories. Decides nothing.
 */
package dev.cairn.server.catalog;
