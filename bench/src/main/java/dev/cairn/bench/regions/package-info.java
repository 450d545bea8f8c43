/**
 * {@code bin/cairn bench regions}: measures a cluster with many regions, which it starts: how long
 * it takes to create, to start and to survive the end of a server, and the memory of its processes.
 */
package dev.cairn.bench.regions;
