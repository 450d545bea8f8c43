package dev.cairn.server.master.group;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Address;
import dev.cairn.server.catalog.ServerGroup;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The cluster as checks of groups need it.
 *
 * @param online the servers that are registered
 * @param dead the servers that were declared dead and are not forgotten
 * @param tables all tables
 * @param namespaces the namespaces that name a group, with that group
 */
record GroupFacts(
    Set<Address> online, Set<Address> dead, Set<TableName> tables, Map<String, String> namespaces) {
  /** Returns the group of the servers and tables that are in no other one. */
  ServerGroup defaultGroup(GroupMap map) {
    TreeSet<Address> servers = new TreeSet<>(online);
    servers.removeIf(server -> !map.groupOf(server).equals(ServerGroup.DEFAULT));
    TreeSet<TableName> own = new TreeSet<>(tables);
    own.removeIf(table -> !map.groupOf(table).equals(ServerGroup.DEFAULT));
    return new ServerGroup(ServerGroup.DEFAULT, servers, own, new TreeMap<>());
  }

  /** Tells whether a server is registered, or in a group. */
  boolean knows(GroupMap map, Address server) {
    return online.contains(server) || !map.groupOf(server).equals(ServerGroup.DEFAULT);
  }
}
