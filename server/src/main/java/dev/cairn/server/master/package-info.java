/**
 * The master: one state machine with one owner. Events come in through {@link
 * dev.cairn.server.master.loop.MasterLoop} (a server came or went, a report, a client's request, an
 * action's outcome); actions go out to worker threads. {@link dev.cairn.server.master.Master} waits
 * until it leads; {@link dev.cairn.server.master.ActiveMaster} then wires the rooms below, and
 * {@code MasterStartup} brings the cluster up. Procedures store each step in {@link
 * dev.cairn.server.master.store.MasterStore}, so that a procedure resumes at its step after a kill.
 * Imports every room of the master but {@code service} and {@code cleaner}.
 */
package dev.cairn.server.master;
