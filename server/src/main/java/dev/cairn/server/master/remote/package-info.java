/**
 * The region servers as the master sees them: {@link dev.cairn.server.master.remote.OnlineServers}
 * lists the registered ones with their last reports, and {@link
 * dev.cairn.server.master.remote.RegionServerCalls} calls them through {@link
 * dev.cairn.server.master.remote.ServerCalls}. The calls wait for the network; the loop owns the
 * list. Imports no other room of the master.
 */
package dev.cairn.server.master.remote;
