/**
 * Writes {@code hbase:meta}: {@link dev.cairn.server.master.meta.RegionStateStore} writes changes
 * in order and repeats them until they succeed or {@code hbase:meta} refuses them, and {@link
 * dev.cairn.server.master.meta.TableStateMirror} copies the states of tables to ZooKeeper for old
 * clients. The rows' format is in {@code dev.cairn.server.catalog}. Imports the loop only.
 */
package dev.cairn.server.master.meta;
