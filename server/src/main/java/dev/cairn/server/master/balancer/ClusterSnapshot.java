package dev.cairn.server.master.balancer;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.placement.KnownServers;
import java.util.List;
import java.util.Map;

/**
 * The servers that may get regions, and the regions that they have, at one moment.
 *
 * @param servers in the order of their names
 * @param regions in an order that depends on their names alone
 * @param known answers the questions of placement rules that the regions do not answer
 */
record ClusterSnapshot(List<ServerName> servers, List<Region> regions, KnownServers known) {

  /**
   * A region that a server has.
   *
   * @param isMovable whether it may be moved now
   * @param reluctance the multiple of the minimum gain for which it is moved; 1 for most regions
   * @param localities the share of its files, 0 to 1, at the servers where it is known
   */
  record Region(
      RegionInfo info,
      ServerName server,
      RegionFigures figures,
      boolean isMovable,
      double reluctance,
      Map<ServerName, Double> localities) {}
}
