/**
 * Puts the rooms together: a process with a master, a region server or both, and, unless the
 * configuration names one elsewhere, a ZooKeeper. {@link dev.cairn.server.process.CairnProcess} is
 * what the launcher and the test server start and stop; its servers are {@link
 * dev.cairn.server.process.HostedServer}s and share a {@link dev.cairn.server.process.Host}: the
 * threads, the storage and the clock that all others are handed.
 */
package dev.cairn.server.process;
