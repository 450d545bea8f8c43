/**
 * The files that belong to the master itself: its store ({@link
 * dev.cairn.server.master.store.MasterStore}), which keeps procedures, servers and switches in a
 * region of its own, and {@link dev.cairn.server.master.store.RootDirectory}, which writes and
 * checks the version and the cluster's id. Calls wait for the storage. Imports no other room of the
 * master.
 */
package dev.cairn.server.master.store;
