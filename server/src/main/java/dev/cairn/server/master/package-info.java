/**
 * The master: one state machine with one owner. Events come in through {@link
 * dev.cairn.server.master.MasterLoop} (a server came or went, a report, a client's request, an
 * action's outcome); actions go out to worker threads. {@link dev.cairn.server.master.Master} waits
 * until it leads, {@link dev.cairn.server.master.ActiveMaster} then wires the parts: assignment of
 * regions, recovery of dead servers, and procedures, whose steps are kept in {@link
 * dev.cairn.server.master.MasterStore} so that a kill at any step resumes there.
 */
package dev.cairn.server.master;
