/**
 * Keeps replicas of regions current: the server of a region tells the servers of its replicas when
 * the region's store files have changed, and sends them logged changes. The replicas take over the
 * files and apply the changes, greet their region when they open, and ask for a flush if they hold
 * too much memory.
 */
package dev.cairn.server.regionserver.replica;
