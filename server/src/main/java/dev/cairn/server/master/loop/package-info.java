/**
 * The thread that owns the master's state. {@link dev.cairn.server.master.loop.MasterLoop} runs
 * events one after the other; {@link dev.cairn.server.master.loop.MasterThreads} runs the actions
 * that wait for files or the network, and hands their outcome back as events. Each action has a
 * {@link dev.cairn.server.master.loop.Lane}: actions of different lanes never wait for each other.
 * Imports no other package of the master.
 */
package dev.cairn.server.master.loop;
