package dev.cairn.server.master.group;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Address;
import dev.cairn.server.catalog.ServerGroup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * All groups but {@link ServerGroup#DEFAULT}, whose members are the servers and tables that no
 * other group has. A server or table is in one group. Immutable.
 */
final class GroupMap {
  /** No groups. */
  static final GroupMap EMPTY = new GroupMap(new TreeMap<>());

  private final TreeMap<String, ServerGroup> groups;
  private final Map<Address, String> servers = new HashMap<>();
  private final Map<TableName, String> tables = new HashMap<>();

  private GroupMap(TreeMap<String, ServerGroup> groups) {
    this.groups = groups;
    groups.replaceAll(
        (name, group) -> {
          ServerGroup own = group.without(servers.keySet(), tables.keySet());
          own.servers().forEach(server -> servers.put(server, name));
          own.tables().forEach(table -> tables.put(table, name));
          return own;
        });
  }

  /**
   * Returns the map of these groups, without {@link ServerGroup#DEFAULT}. A member of several
   * groups stays in the first one by name.
   */
  static GroupMap of(Collection<ServerGroup> groups) {
    TreeMap<String, ServerGroup> byName = new TreeMap<>();
    groups.forEach(group -> byName.put(group.name(), group));
    byName.remove(ServerGroup.DEFAULT);
    return new GroupMap(byName);
  }

  /** Tells whether there are no groups. */
  boolean isEmpty() {
    return groups.isEmpty();
  }

  /** Returns the groups, ordered by name. */
  List<ServerGroup> all() {
    return List.copyOf(groups.values());
  }

  /** Returns a group; empty for {@link ServerGroup#DEFAULT}. */
  Optional<ServerGroup> find(String name) {
    return Optional.ofNullable(groups.get(name));
  }

  /** Tells whether there is such a group; there always is {@link ServerGroup#DEFAULT}. */
  boolean exists(String name) {
    return name.equals(ServerGroup.DEFAULT) || groups.containsKey(name);
  }

  /** Returns the name of the group that a server is in, or would be in. */
  String groupOf(Address server) {
    return servers.getOrDefault(server, ServerGroup.DEFAULT);
  }

  /** Returns the name of the group that a table is in, or would be in. */
  String groupOf(TableName table) {
    return tables.getOrDefault(table, ServerGroup.DEFAULT);
  }

  /** Returns these groups with one more, or with another one of its name. */
  GroupMap with(ServerGroup group) {
    List<ServerGroup> all = new ArrayList<>(groups.values());
    all.add(group);
    return of(all);
  }

  /** Returns these groups without one. */
  GroupMap without(String name) {
    return of(groups.values().stream().filter(group -> !group.name().equals(name)).toList());
  }

  /** Returns these groups after servers and tables have moved to one of them. */
  GroupMap move(Set<Address> movedServers, Set<TableName> movedTables, String target) {
    return of(
        groups.values().stream()
            .map(group -> group.without(movedServers, movedTables))
            .map(
                group ->
                    group.name().equals(target) ? group.with(movedServers, movedTables) : group)
            .toList());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GroupMap that && groups.equals(that.groups);
  }

  @Override
  public int hashCode() {
    return groups.hashCode();
  }

  @Override
  public String toString() {
    return groups.values().toString();
  }
}
