/**
 * Runs Apache HBase's coprocessors in Cairn's servers, on the interfaces of {@code hbase-server}:
 * {@link dev.cairn.coprocessor.ApacheHooks} is the entry point. A server loads it when its site or
 * a table first names a coprocessor that is not built in, or a table names a user's split policy.
 */
package dev.cairn.coprocessor;
