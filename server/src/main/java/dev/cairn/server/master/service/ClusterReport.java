package dev.cairn.server.master.service;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.Master;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.chore.Switches;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterIdProtos.ClusterId;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ClusterStatus;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.LiveServerInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.Option;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionInTransition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionStatesCount;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.TableRegionStatesCount;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FSProtos.HBaseVersionFileContent;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.Coprocessor;

/** Builds HBase's message on the state of the cluster. Called by the loop's owner. */
final class ClusterReport {
  /** The version of HBase whose protocol and files these are; clients compare it. */
  private static final String VERSION = "2.6.4";

  private ClusterReport() {}

  /** Returns the requested parts of the status; all parts if {@code options} is empty. */
  static ClusterStatus of(Master master, ActiveMaster active, List<Option> options) {
    Set<Option> wanted = options.isEmpty() ? EnumSet.allOf(Option.class) : EnumSet.copyOf(options);
    ClusterState state = master.context().coordination().state();
    ClusterStatus.Builder status = ClusterStatus.newBuilder();
    for (Option option : wanted) {
      switch (option) {
        case HBASE_VERSION ->
            status.setHbaseVersion(HBaseVersionFileContent.newBuilder().setVersion(VERSION));
        case CLUSTER_ID ->
            state
                .clusterId()
                .ifPresent(id -> status.setClusterId(ClusterId.newBuilder().setClusterId(id)));
        case LIVE_SERVERS -> {
          for (ServerName server : active.servers().all()) {
            status.addLiveServers(
                LiveServerInfo.newBuilder()
                    .setServer(server.message())
                    .setServerLoad(active.servers().load(server).orElseThrow()));
          }
        }
        case DEAD_SERVERS ->
            active.servers().dead().forEach(server -> status.addDeadServers(server.message()));
        case MASTER -> status.setMaster(master.self().message());
        case BACKUP_MASTERS ->
            state.backupMasters().forEach(server -> status.addBackupMasters(server.message()));
        case REGIONS_IN_TRANSITION -> {
          for (RegionStateNode node : active.assignments().all()) {
            if (node.isShownInTransition()) {
              status.addRegionsInTransition(transition(node));
            }
          }
        }
        case BALANCER_ON -> status.setBalancerOn(active.switches().isOn(Switches.Switch.BALANCER));
        case MASTER_INFO_PORT -> status.setMasterInfoPort(master.infoPort());
        case SERVERS_NAME ->
            active.servers().all().forEach(server -> status.addServersName(server.message()));
        case TABLE_TO_REGIONS_COUNT -> {
          for (TableName table : active.tables().states().keySet()) {
            status.addTableRegionStatesCount(
                TableRegionStatesCount.newBuilder()
                    .setTableName(Messages.message(table))
                    .setRegionStatesCount(count(active, table)));
          }
        }
        case TASKS -> status.addAllMasterTasks(MasterTasks.of(active));
        case UNKNOWN_SERVERS ->
            unknown(active).forEach(server -> status.addUnknownServers(server.message()));
        case MASTER_COPROCESSORS ->
            master
                .hooks()
                .names()
                .forEach(
                    name -> status.addMasterCoprocessors(Coprocessor.newBuilder().setName(name)));
      }
    }
    return status.build();
  }

  private static RegionInTransition transition(RegionStateNode node) {
    return RegionInTransition.newBuilder()
        .setSpec(Messages.specifier(node.region()))
        .setRegionState(
            RegionState.newBuilder()
                .setRegionInfo(Messages.message(node.region()))
                .setState(node.shownState())
                .setStamp(node.inTransitionSinceMillis()))
        .build();
  }

  /** Returns the servers that have regions and are neither alive nor known to be dead. */
  private static Set<ServerName> unknown(ActiveMaster active) {
    Set<ServerName> unknown = new TreeSet<>();
    for (RegionStateNode node : active.assignments().all()) {
      node.server()
          .filter(server -> node.state() != RegionState.State.CLOSED)
          .filter(server -> !active.servers().isLive(server) && !active.servers().isDead(server))
          .filter(server -> !active.members().isRecovering(server))
          .ifPresent(unknown::add);
    }
    return unknown;
  }

  private static RegionStatesCount count(ActiveMaster active, TableName table) {
    int open = 0;
    int closed = 0;
    int inTransition = 0;
    int total = 0;
    for (RegionStateNode node : active.assignments().of(table)) {
      total++;
      if (node.isShownInTransition()) {
        inTransition++;
      }
      if (node.shownState() == RegionState.State.OPEN) {
        open++;
      } else if (node.shownState() == RegionState.State.CLOSED) {
        closed++;
      }
    }
    return RegionStatesCount.newBuilder()
        .setOpenRegions(open)
        .setSplitRegions(0)
        .setClosedRegions(closed)
        .setRegionsInTransition(inTransition)
        .setTotalRegions(total)
        .build();
  }
}
