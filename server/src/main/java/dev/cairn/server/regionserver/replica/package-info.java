/**
 * Keeps replicas of regions current: the server of a region tells the servers of its replicas when
 * the region's store files have changed, and these take over the files.
 */
package dev.cairn.server.regionserver.replica;
