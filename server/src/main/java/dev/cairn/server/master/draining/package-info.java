/**
 * Empties region servers before they stop: {@link dev.cairn.server.master.draining.DrainingServers}
 * keeps which servers are draining and excludes them when a region is placed; {@link
 * dev.cairn.server.master.draining.RegionOffload} moves their regions away, and back.
 * Administrators' requests and marks in ZooKeeper enter; moves leave.
 */
package dev.cairn.server.master.draining;
