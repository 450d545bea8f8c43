/**
 * Starts and stops a process with a master, a region server or both. The process also has a
 * ZooKeeper, unless the configuration names one elsewhere. The launcher and the test server use
 * {@link dev.cairn.server.process.CairnProcess}. Its servers are {@link
 * dev.cairn.server.process.HostedServer}s. They share a {@link dev.cairn.server.process.Host},
 * which has the threads, the storage and the clock. {@link dev.cairn.server.process.ServerSessions}
 * connects them to ZooKeeper, {@link dev.cairn.server.process.WebServer} serves their pages, and
 * {@link dev.cairn.server.process.Termination} ends them together.
 */
package dev.cairn.server.process;
