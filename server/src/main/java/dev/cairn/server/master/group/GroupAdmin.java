package dev.cairn.server.master.group;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Address;
import dev.cairn.server.catalog.GroupTable;
import dev.cairn.server.catalog.ServerGroup;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.assignment.SystemTable;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.namespace.Namespaces;
import dev.cairn.server.master.remote.OnlineServers;
import dev.cairn.server.master.table.Tables;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameStringPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NamespaceDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers administrators about groups and changes them. A change of members is written first, then
 * regions move; a master that takes over in between moves the rest. Owned by the loop.
 */
public final class GroupAdmin {
  private static final Logger LOG = LoggerFactory.getLogger(GroupAdmin.class);

  private final ServerGroups groups;
  private final GroupMoves moves;
  private final TableGroups tableGroups;
  private final Tables tables;
  private final Namespaces namespaces;
  private final OnlineServers servers;

  /**
   * Creates it.
   *
   * @param home reaches {@code hbase:rsgroup}; does one action at a time
   * @param table the format of {@code hbase:rsgroup}
   * @param mirror writes the copy of the groups in ZooKeeper
   * @param copy the groups that ZooKeeper has
   */
  public GroupAdmin(
      GroupSettings settings,
      MasterLoop loop,
      Tables tables,
      Namespaces namespaces,
      OnlineServers servers,
      Assignments assignments,
      SystemTable home,
      GroupTable table,
      ServerGroups.Mirror mirror,
      Collection<ServerGroup> copy) {
    this.tables = tables;
    this.namespaces = namespaces;
    this.servers = servers;
    this.groups =
        new ServerGroups(settings.enabled(), loop, home, table, mirror, copy, this::facts);
    this.moves = new GroupMoves(loop, assignments);
    this.tableGroups = new TableGroups(groups, namespaces, this::facts);
  }

  /** Returns the groups themselves. */
  public ServerGroups groups() {
    return groups;
  }

  /** Returns the part that gives new tables their groups. */
  public TableGroups tables() {
    return tableGroups;
  }

  /** Reads the groups, if there are any, and moves regions that an earlier master did not. */
  public void start() {
    if (groups.isEnabled()) {
      groups.load(
          () ->
              moves.begin(
                  node -> true,
                  Completion.of(() -> {}, cause -> LOG.info("{}", cause.getMessage()))));
    }
  }

  /** Returns all groups, that without a name of its own last. */
  public List<ServerGroup> all() throws IOException {
    groups.requireLoaded();
    List<ServerGroup> all = new ArrayList<>(groups.map().all());
    all.add(defaultGroup());
    return all;
  }

  /** Returns a group. */
  public Optional<ServerGroup> find(String name) throws IOException {
    groups.requireLoaded();
    return name.equals(ServerGroup.DEFAULT) ? Optional.of(defaultGroup()) : groups.map().find(name);
  }

  /** Returns the group of a table; empty if there is no such table. */
  public Optional<ServerGroup> of(TableName table) throws IOException {
    return find(groups.map().groupOf(table)).filter(group -> group.tables().contains(table));
  }

  /** Returns the group of a server; empty if it is in none and not online. */
  public Optional<ServerGroup> of(Address server) throws IOException {
    return find(groups.map().groupOf(server)).filter(group -> group.servers().contains(server));
  }

  /** Adds a group. */
  public void add(String name, Completion completion) throws IOException {
    change(map -> GroupChecks.add(map, name), completion);
  }

  /** Removes a group without members. */
  public void remove(String name, Completion completion) throws IOException {
    change(map -> GroupChecks.remove(map, facts(), name), completion);
  }

  /**
   * Renames a group, then replaces its name in the properties of namespaces, one after the other.
   * If the master ends in between, the same request to the next master renames the rest.
   */
  public void rename(String old, String name, Completion completion) throws IOException {
    change(
        map -> GroupChecks.rename(map, facts(), old, name),
        completion.then(() -> renameInNamespaces(old, name, completion)));
  }

  private void renameInNamespaces(String old, String name, Completion completion) {
    Deque<NamespaceDescriptor> left =
        namespaces.all().stream()
            .filter(one -> TableGroups.group(one).equals(Optional.of(old)))
            .collect(Collectors.toCollection(ArrayDeque::new));
    renameNext(left, name, completion);
  }

  private void renameNext(Deque<NamespaceDescriptor> left, String name, Completion completion) {
    if (left.isEmpty()) {
      completion.done();
      return;
    }
    NamespaceDescriptor.Builder namespace = left.remove().toBuilder();
    for (NameStringPair.Builder pair : namespace.getConfigurationBuilderList()) {
      if (pair.getName().equals(ServerGroup.PROPERTY)) {
        pair.setValue(name);
      }
    }
    namespaces.put(namespace.build(), completion.then(() -> renameNext(left, name, completion)));
  }

  /** Replaces the settings that are attached to a group. */
  public void configure(String name, Map<String, String> settings, Completion completion)
      throws IOException {
    change(map -> GroupChecks.configure(map, name, settings), completion);
  }

  /** Moves servers to a group, and then regions of other groups away from them. */
  public void moveServers(Set<Address> moved, String target, Completion completion)
      throws IOException {
    change(
        map -> GroupChecks.moveServers(map, facts(), moved, target),
        completion.then(() -> moves.begin(at(moved), completion)));
  }

  /** Moves tables to a group, and then their regions. */
  public void moveTables(Set<TableName> moved, String target, Completion completion)
      throws IOException {
    change(
        map -> GroupChecks.moveTables(map, facts(), moved, target),
        completion.then(() -> moves.begin(of(moved), completion)));
  }

  /** Moves servers and tables of one group to another one, and then regions. */
  public void moveServersAndTables(
      Set<Address> movedServers, Set<TableName> movedTables, String target, Completion completion)
      throws IOException {
    change(
        map -> GroupChecks.moveServersAndTables(map, facts(), movedServers, movedTables, target),
        completion.then(() -> moves.begin(at(movedServers).or(of(movedTables)), completion)));
  }

  /** Removes servers from their groups that are gone for good. */
  public void removeServers(Set<Address> gone, Completion completion) throws IOException {
    change(map -> GroupChecks.removeServers(map, facts(), gone), completion);
  }

  /** Removes servers from their groups that an administrator has declared gone. */
  public void forget(Collection<ServerName> gone) {
    Set<Address> addresses = addresses(gone);
    addresses.removeAll(facts().online());
    if (groups.isEnabled() && !addresses.isEmpty()) {
      groups.changeSurely(
          map -> map.move(addresses, Set.of(), ServerGroup.DEFAULT),
          Completion.of(() -> {}, cause -> LOG.info("{}", cause.getMessage())));
    }
  }

  /** Returns the test for regions of a group's tables. */
  public Predicate<RegionStateNode> regionsOf(String group) throws IOException {
    groups.requireLoaded();
    GroupChecks.requireTarget(groups.map(), group);
    GroupMap map = groups.map();
    return node -> map.groupOf(node.region().table()).equals(group);
  }

  /** Returns how many of the regions are at servers that rules refuse and can be moved. */
  public int countMisplaced(Predicate<RegionStateNode> regions) {
    return moves.count(regions);
  }

  /** Moves those of the regions that are at servers that rules refuse. */
  public void moveMisplaced(Predicate<RegionStateNode> regions) {
    moves.begin(regions, Completion.of(() -> {}, cause -> LOG.info("{}", cause.getMessage())));
  }

  private void change(ServerGroups.Edit edit, Completion completion) throws IOException {
    groups.requireLoaded();
    groups.change(
        edit,
        completion.then(
            () -> {
              LOG.info("The groups of servers are now {}", groups.map());
              completion.done();
            }));
  }

  private static Predicate<RegionStateNode> at(Set<Address> addresses) {
    return node -> node.server().map(Address::of).filter(addresses::contains).isPresent();
  }

  private static Predicate<RegionStateNode> of(Set<TableName> moved) {
    return node -> moved.contains(node.region().table());
  }

  private ServerGroup defaultGroup() {
    return facts().defaultGroup(groups.map());
  }

  private GroupFacts facts() {
    Set<TableName> all = new TreeSet<>(tables.states().keySet());
    all.add(TableName.META);
    Map<String, String> named = new TreeMap<>();
    namespaces
        .all()
        .forEach(
            namespace ->
                TableGroups.group(namespace)
                    .ifPresent(group -> named.put(namespace.getName().toStringUtf8(), group)));
    return new GroupFacts(addresses(servers.all()), addresses(servers.dead()), all, named);
  }

  private static Set<Address> addresses(Collection<ServerName> names) {
    return names.stream().map(Address::of).collect(Collectors.toCollection(TreeSet::new));
  }
}
