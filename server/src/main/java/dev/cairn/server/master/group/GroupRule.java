package dev.cairn.server.master.group;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.Address;
import dev.cairn.server.catalog.GroupTable;
import dev.cairn.server.catalog.NamespaceTable;
import dev.cairn.server.catalog.ServerGroup;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.placement.KnownServers;
import dev.cairn.server.master.placement.PlacementRequest;
import dev.cairn.server.master.placement.PlacementRule;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Keeps the regions of a table on the servers of its group. If no server of the group gets regions,
 * and the site allows it, the servers of {@link ServerGroup#DEFAULT} may have them, or all servers
 * if there are none in that group. The tables without which the master cannot work may use these
 * servers after {@link #PATIENCE}, even if the site does not allow it. A region whose group has no
 * server opens again at the server that had it: otherwise its rows would not be served after a
 * split or an alter. Owned by the loop.
 */
public final class GroupRule implements PlacementRule {
  /** The time for which the master's own tables wait for a server of their group. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  /** The tables without which the master cannot work. */
  public static final Set<TableName> NEEDED =
      Set.of(TableName.META, NamespaceTable.NAME, GroupTable.NAME);

  private final Supplier<ServerGroups> groups;
  private final BooleanSupplier fallback;
  private final Clock clock;

  /** When each group was first seen without a server, by the clock's nanoseconds. */
  private final Map<String, Long> withoutServer = new HashMap<>();

  /**
   * Creates the rule.
   *
   * @param groups returns the groups; asked when the rule is
   * @param fallback whether other servers may help a group without a server
   */
  public GroupRule(Supplier<ServerGroups> groups, BooleanSupplier fallback, Clock clock) {
    this.groups = groups;
    this.fallback = fallback;
    this.clock = clock;
  }

  @Override
  public Optional<String> refusal(PlacementRequest request, ServerName server) {
    GroupMap map = groups.get().map();
    if (map.isEmpty()) {
      return Optional.empty();
    }
    TableName table = request.region().table();
    String group = map.groupOf(table);
    if (map.groupOf(Address.of(server)).equals(group)) {
      withoutServer.remove(group);
      return Optional.empty();
    }
    if (mayHelp(map, group, table, request.servers(), server)
        || mayStay(request, server) && !hasServer(map, group, request.servers())) {
      return Optional.empty();
    }
    return Optional.of("is not in the group " + group + " of the table " + table);
  }

  /** Tells whether a region is opened again where it was, or at the server of its parents. */
  private static boolean mayStay(PlacementRequest request, ServerName server) {
    return switch (request.reason()) {
      case OPEN, RETRY, REPLACEMENT -> request.isAt(server);
      case MOVE, BALANCE, RECOVERY, PROMOTION -> false;
    };
  }

  private boolean mayHelp(
      GroupMap map, String group, TableName table, KnownServers servers, ServerName server) {
    boolean isNeeded = NEEDED.contains(table);
    if (!fallback.getAsBoolean() && !isNeeded) {
      return false;
    }
    if (hasServer(map, group, servers)) {
      withoutServer.remove(group);
      return false;
    }
    long now = clock.nanoTime();
    long since = withoutServer.computeIfAbsent(group, name -> now);
    if (!fallback.getAsBoolean() && now - since < PATIENCE.toNanos()) {
      return false;
    }
    return map.groupOf(Address.of(server)).equals(ServerGroup.DEFAULT)
        || !hasServer(map, ServerGroup.DEFAULT, servers);
  }

  private static boolean hasServer(GroupMap map, String group, KnownServers servers) {
    for (ServerName server : servers.ready()) {
      if (map.groupOf(Address.of(server)).equals(group)) {
        return true;
      }
    }
    return false;
  }
}
