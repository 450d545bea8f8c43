/**
 * Moves regions so that servers work equally. {@link
 * dev.cairn.server.master.balancer.BalancePlanner} decides from a snapshot which moves gain
 * anything; {@link dev.cairn.server.master.balancer.RegionBalancer} decides when, carries the moves
 * out and tells why. All state is owned by the loop.
 */
package dev.cairn.server.master.balancer;
