package dev.cairn.server.master.page;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.assignment.RegionMoves.RegionMove;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.balancer.BalancerRun;
import dev.cairn.server.master.chore.Switches.Switch;
import dev.cairn.server.master.members.EndedRecoveries;
import dev.cairn.server.master.members.ServerManager;
import dev.cairn.server.master.procedure.ProcedureExecutor.ProcedureLock;
import dev.cairn.server.master.procedure.ProcedureRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockedResource;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.SpaceQuotaSnapshot;

/**
 * The cluster at one moment, as the master knows it. The loads are those of the servers' last
 * reports. Immutable.
 *
 * @param servers the live region servers, by name
 * @param dead the dead region servers that are known
 * @param tables the tables, by name, with those whose descriptor is unreadable
 * @param regions the regions
 * @param moves the latest moves of regions
 * @param recoveries the dead servers whose logs are being recovered
 * @param recovered those whose logs were recovered lately
 * @param switches the administrators' switches
 * @param procedures the procedures that run, and those that ended lately
 * @param locks the locks that procedures and clients hold
 * @param spaces the limits on space
 */
record ClusterView(
    List<Server> servers,
    List<ServerName> dead,
    List<Table> tables,
    List<Region> regions,
    List<RegionMove> moves,
    List<ServerManager.Recovery> recoveries,
    List<EndedRecoveries.Ended> recovered,
    Map<Switch, Boolean> switches,
    List<ProcedureRecord> procedures,
    List<Lock> locks,
    List<Space> spaces,
    Balancing balancing) {
  private static final long MEGA = 1 << 20;

  /**
   * A live region server.
   *
   * @param isAccepted whether the master has accepted it
   * @param isDraining whether it gets no regions because an administrator empties it
   * @param load its last report; empty messages before the first
   */
  record Server(
      ServerName name, boolean isAccepted, boolean isDraining, int regions, ServerLoad load) {}

  /**
   * A table.
   *
   * @param schema its descriptor; empty if it is unreadable
   */
  record Table(TableName name, TableState.State state, Optional<TableSchema> schema) {}

  /**
   * A region.
   *
   * @param server the server that the state refers to, or the region's last server
   * @param changedMillis when the state changed last, milliseconds since 1970
   * @param transition why it has not reached its goal; empty if it has
   * @param load the last report of the server that serves it
   */
  record Region(
      RegionInfo info,
      State state,
      Optional<ServerName> server,
      long changedMillis,
      Optional<Transition> transition,
      Optional<RegionLoad> load) {
    long reads() {
      return load.map(RegionLoad::getReadRequestsCount).orElse(0L);
    }

    long writes() {
      return load.map(RegionLoad::getWriteRequestsCount).orElse(0L);
    }

    int files() {
      return load.map(RegionLoad::getStorefiles).orElse(0);
    }

    long fileBytes() {
      return load.map(one -> one.getStorefileSizeMB() * MEGA).orElse(0L);
    }

    long memStoreBytes() {
      return load.map(one -> one.getMemStoreSizeMB() * MEGA).orElse(0L);
    }
  }

  /**
   * Why a region is in transition, or open and refuses every call.
   *
   * @param reason a sentence
   * @param sinceMillis since when, milliseconds since 1970
   * @param failures the failures since it was last open
   */
  record Transition(String reason, long sinceMillis, int failures) {}

  /**
   * A limit on space.
   *
   * @param target the table, or the namespace
   * @param state its use, limit and policy
   */
  record Space(String target, SpaceQuotaSnapshot state) {}

  private static List<Space> spaces(ActiveMaster active) {
    List<Space> spaces = new ArrayList<>();
    active
        .space()
        .namespaceStates()
        .forEach((name, state) -> spaces.add(new Space("namespace " + name, state)));
    active
        .space()
        .tableStates()
        .forEach((table, state) -> spaces.add(new Space("table " + table, state)));
    return List.copyOf(spaces);
  }

  /**
   * The balancer.
   *
   * @param loads the processor time of each server's calls, nanoseconds per second
   * @param runs its last runs
   * @param notice why a server stays loaded more than others
   * @param movesOfHour how many moves it has begun within the last hour
   * @param moving how many regions it is moving or about to move
   */
  record Balancing(
      Map<ServerName, Double> loads,
      List<BalancerRun> runs,
      Optional<String> notice,
      int movesOfHour,
      int moving) {}

  /**
   * A lock.
   *
   * @param resource the locked resource
   * @param holder the client or procedure that holds it
   * @param waiting the client or procedure that waits for it
   */
  record Lock(String resource, String holder, String waiting) {}

  private static List<Lock> locks(ActiveMaster active) {
    List<Lock> locks = new ArrayList<>();
    for (ProcedureLock lock : active.procedures().locks()) {
      String procedure = "procedure " + lock.id();
      String held = lock.isHeld() ? procedure : "";
      String waiting = lock.isHeld() ? "" : procedure;
      if (lock.regions().isEmpty()) {
        locks.add(new Lock(lock.resource(), held, waiting));
      }
      for (RegionInfo region : lock.regions()) {
        locks.add(new Lock("region:" + region.encodedName(), held, waiting));
      }
    }
    for (LockedResource lock : active.procedures().clientLocks().describe()) {
      boolean held = lock.getWaitingProceduresCount() == 0;
      String owner = "a client (" + lock.getLockType() + ")";
      locks.add(new Lock(lock.getResourceName(), held ? owner : "", held ? "" : owner));
    }
    return List.copyOf(locks);
  }

  /** Copies the state of the master. Called by the loop's owner. */
  static ClusterView of(ActiveMaster active) {
    Map<String, RegionLoad> loads = new HashMap<>(); // by encoded name, which RegionInfo keeps
    List<Server> servers = new ArrayList<>();
    Map<ServerName, Integer> hosted = new HashMap<>();
    Collection<RegionStateNode> nodes = active.assignments().all();
    for (RegionStateNode node : nodes) {
      node.openServer().ifPresent(server -> hosted.merge(server, 1, Integer::sum));
    }
    for (ServerName name : active.servers().all()) {
      ServerLoad load = active.servers().load(name).orElse(ServerLoad.getDefaultInstance());
      load.getRegionLoadsList().forEach(one -> loads.put(encodedName(one), one));
      servers.add(
          new Server(
              name,
              active.servers().isAccepted(name),
              active.draining().isDraining(name),
              hosted.getOrDefault(name, 0),
              load));
    }
    List<Table> tables = new ArrayList<>();
    active
        .tables()
        .states()
        .forEach(
            (name, state) ->
                tables.add(
                    new Table(
                        name,
                        state,
                        active
                            .tables()
                            .find(name)
                            .map(dev.cairn.server.master.table.Tables.Table::schema))));
    Map<Switch, Boolean> switches = new EnumMap<>(Switch.class);
    for (Switch one : Switch.values()) {
      switches.put(one, active.switches().isOn(one));
    }
    return new ClusterView(
        List.copyOf(servers),
        List.copyOf(active.servers().dead()),
        List.copyOf(tables),
        nodes.stream().map(node -> region(active, node, loads)).toList(),
        active.assignments().moves(),
        List.copyOf(active.members().recoveries()),
        List.copyOf(active.members().endedRecoveries()),
        Map.copyOf(switches),
        List.copyOf(active.procedures().all()),
        locks(active),
        spaces(active),
        new Balancing(
            active.balancer().loads(),
            active.balancer().log().runs(),
            active.balancer().notice(),
            active.balancer().log().movesOfHour(),
            active.balancer().moving()));
  }

  private static String encodedName(RegionLoad load) {
    return org.apache.hadoop.hbase.client.RegionInfo.encodeRegionName(
        load.getRegionSpecifier().getValue().toByteArray());
  }

  private static Region region(
      ActiveMaster active, RegionStateNode node, Map<String, RegionLoad> loads) {
    Optional<RegionLoad> load =
        node.openServer().isPresent()
            ? Optional.ofNullable(loads.get(node.region().encodedName()))
            : Optional.empty();
    return new Region(
        node.region(),
        node.shownState(),
        node.server(),
        node.changedMillis(),
        node.isShownInTransition()
            ? Optional.of(
                new Transition(
                    TransitionReason.of(active, node),
                    node.inTransitionSinceMillis(),
                    node.failures()))
            : Optional.empty(),
        load);
  }

  /** Returns the regions of a table, in the order of their keys. */
  List<Region> regionsOf(TableName table) {
    return regions.stream().filter(region -> region.info().table().equals(table)).toList();
  }

  /** Returns the regions in transition. */
  List<Region> inTransition() {
    return regions.stream().filter(region -> region.transition().isPresent()).toList();
  }

  /** Returns the number of open regions. */
  long openRegions() {
    return regions.stream().filter(region -> region.state() == State.OPEN).count();
  }
}
