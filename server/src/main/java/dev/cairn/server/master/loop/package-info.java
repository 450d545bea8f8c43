/**
 * The thread that owns the master's state. {@link dev.cairn.server.master.loop.MasterLoop} runs
 * events one after the other; {@link dev.cairn.server.master.loop.MasterThreads} runs the actions
 * that wait for files or the network, and hands their outcome back as events. Imports no other room
 * of the master.
 */
package dev.cairn.server.master.loop;
