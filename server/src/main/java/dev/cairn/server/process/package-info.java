/**
 * Puts the rooms together: one process with a master, a region server and, unless the configuration
 * names one elsewhere, a ZooKeeper. {@link dev.cairn.server.process.CairnProcess} is what the
 * launcher and the test server start and stop. It makes the threads, the storage and the clock that
 * all others are handed.
 */
package dev.cairn.server.process;
