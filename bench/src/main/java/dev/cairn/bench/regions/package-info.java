/**
 * {@code bin/cairn bench regions}: starts a cluster with many regions and measures it: the time to
 * create the table, to recover from the end of a server and to start again, and the memory of the
 * processes.
 */
package dev.cairn.bench.regions;
