package dev.cairn.server.master.group;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Address;
import dev.cairn.server.catalog.ServerGroup;
import dev.cairn.server.rpc.wire.NamedException;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableNotFoundException;

/**
 * What administrators may change about groups: each method checks one change and returns the groups
 * after it. As in HBase, a change moves servers of one group only, a group with tables keeps a
 * server, and {@link ServerGroup#DEFAULT} keeps one that is alive. A move or setting that is
 * already in effect is accepted, so that a client may repeat it. As in HBase, repeating the
 * addition, removal or renaming of a group is refused, except that {@link #rename} may be
 * completed.
 */
final class GroupChecks {
  private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_]+");

  private GroupChecks() {}

  /** Adds a group without members. */
  static GroupMap add(GroupMap map, String name) throws IOException {
    checkName(name);
    requireNew(map, name);
    return map.with(ServerGroup.empty(name));
  }

  /** Removes a group that has no members and that no namespace names. */
  static GroupMap remove(GroupMap map, GroupFacts facts, String name) throws IOException {
    if (name.equals(ServerGroup.DEFAULT)) {
      throw refused("The group default cannot be removed");
    }
    ServerGroup group = require(map, name);
    if (!group.tables().isEmpty()) {
      throw refused(
          "RSGroup %s has %d tables; move them to another group before you remove it"
              .formatted(name, group.tables().size()));
    }
    if (!group.servers().isEmpty()) {
      throw refused(
          "RSGroup %s has %d servers; move them to another group before you remove it"
              .formatted(name, group.servers().size()));
    }
    for (Map.Entry<String, String> namespace : facts.namespaces().entrySet()) {
      if (namespace.getValue().equals(name)) {
        throw refused(
            "RSGroup %s is referenced by namespace: %s".formatted(name, namespace.getKey()));
      }
    }
    return map.without(name);
  }

  /**
   * Renames a group. Changes nothing if the group has the new name and a namespace still has the
   * old one: then a master ended during the rename.
   */
  static GroupMap rename(GroupMap map, GroupFacts facts, String old, String name)
      throws IOException {
    checkName(name);
    if (old.equals(ServerGroup.DEFAULT)) {
      throw refused("The group default cannot be renamed");
    }
    if (!map.exists(old) && map.find(name).isPresent() && facts.namespaces().containsValue(old)) {
      return map;
    }
    ServerGroup group = require(map, old);
    requireNew(map, name);
    return map.without(old).with(group.named(name));
  }

  /** Replaces the settings that are attached to a group. */
  static GroupMap configure(GroupMap map, String name, Map<String, String> settings)
      throws IOException {
    if (name.equals(ServerGroup.DEFAULT)) {
      throw refused("The configuration of the group default cannot be stored");
    }
    return map.with(require(map, name).configured(settings));
  }

  /** Moves servers to another group. */
  static GroupMap moveServers(GroupMap map, GroupFacts facts, Set<Address> servers, String target)
      throws IOException {
    requireTarget(map, target);
    if (servers.isEmpty()) {
      return map;
    }
    String source = source(map, facts, servers);
    if (source.equals(target)) {
      return map;
    }
    checkLeaving(map, facts, source, servers, Set.of());
    return map.move(servers, Set.of(), target);
  }

  /** Moves tables to another group. */
  static GroupMap moveTables(GroupMap map, GroupFacts facts, Set<TableName> tables, String target)
      throws IOException {
    requireTarget(map, target);
    requireTables(map, facts, tables);
    boolean hasServer =
        !map.find(target).orElseGet(() -> facts.defaultGroup(map)).servers().isEmpty();
    if (!hasServer && !tables.isEmpty()) {
      throw refused("RSGroup " + target + " has no server; a group with tables needs one");
    }
    return map.move(Set.of(), tables, target);
  }

  /** Moves servers and tables of one group to another one. */
  static GroupMap moveServersAndTables(
      GroupMap map, GroupFacts facts, Set<Address> servers, Set<TableName> tables, String target)
      throws IOException {
    requireTarget(map, target);
    if (servers.isEmpty()) {
      throw refused("The list of servers to move cannot be empty");
    }
    if (tables.isEmpty()) {
      throw refused("The list of tables to move cannot be empty");
    }
    requireTables(map, facts, tables);
    String source = source(map, facts, servers);
    for (TableName table : tables) {
      if (!map.groupOf(table).equals(source)) {
        throw refused(
            "All tables must be in the group of the servers, %s; %s is in %s"
                .formatted(source, table, map.groupOf(table)));
      }
    }
    if (source.equals(target)) {
      return map;
    }
    checkLeaving(map, facts, source, servers, tables);
    return map.move(servers, tables, target);
  }

  /** Removes servers that will not come back from their groups. */
  static GroupMap removeServers(GroupMap map, GroupFacts facts, Set<Address> servers)
      throws IOException {
    if (servers.isEmpty()) {
      throw refused("The list of servers to remove cannot be empty");
    }
    for (Address server : servers) {
      if (facts.online().contains(server)) {
        throw refused("Server " + server + " is online, so it cannot be removed");
      }
      if (facts.dead().contains(server)) {
        throw refused(
            "Server "
                + server
                + " is among the dead servers and may come back; remove it after"
                + " clear_deadservers");
      }
    }
    return map.move(servers, Set.of(), ServerGroup.DEFAULT);
  }

  /**
   * Checks that a group exists.
   *
   * @throws NamedException if it does not
   */
  static void requireTarget(GroupMap map, String name) throws NamedException {
    if (!map.exists(name)) {
      throw refused("RSGroup does not exist: " + name);
    }
  }

  private static ServerGroup require(GroupMap map, String name) throws NamedException {
    return map.find(name).orElseThrow(() -> refused("RSGroup " + name + " does not exist"));
  }

  private static void requireNew(GroupMap map, String name) throws DoNotRetryIOException {
    if (map.exists(name)) {
      throw new DoNotRetryIOException("Group already exists: " + name);
    }
  }

  private static void checkName(String name) throws NamedException {
    if (!NAME.matcher(name).matches()) {
      throw refused(
          "A RSGroup's name has letters, digits and underscores only, not <" + name + ">");
    }
  }

  private static void requireTables(GroupMap map, GroupFacts facts, Set<TableName> tables)
      throws TableNotFoundException {
    for (TableName table : tables) {
      boolean isLeftOver = !map.groupOf(table).equals(ServerGroup.DEFAULT);
      if (!facts.tables().contains(table) && !isLeftOver) {
        throw new TableNotFoundException(table.toString());
      }
    }
  }

  /** Returns the group that all of the servers are in. */
  private static String source(GroupMap map, GroupFacts facts, Set<Address> servers)
      throws NamedException {
    String source = null;
    for (Address server : servers) {
      if (!facts.knows(map, server)) {
        throw refused("Server " + server + " is either offline or it does not exist.");
      }
      String group = map.groupOf(server);
      if (source == null) {
        source = group;
      } else if (!source.equals(group)) {
        throw refused(
            "All servers must be in one group; some are in %s, and %s is in %s"
                .formatted(source, server, group));
      }
    }
    return source;
  }

  private static void checkLeaving(
      GroupMap map, GroupFacts facts, String source, Set<Address> servers, Set<TableName> tables)
      throws NamedException {
    if (source.equals(ServerGroup.DEFAULT)) {
      if (facts.defaultGroup(map).servers().size() <= servers.size()) {
        throw refused("The group default must keep at least one server that is online");
      }
      return;
    }
    ServerGroup group = require(map, source);
    if (group.servers().size() <= servers.size() && group.tables().size() > tables.size()) {
      throw refused(
          "RSGroup %s would keep %d tables without a server; leave it a server, or move the tables"
              .formatted(source, group.tables().size() - tables.size()));
    }
  }

  static NamedException refused(String message) {
    return new NamedException(NamedException.CONSTRAINT, message);
  }
}
