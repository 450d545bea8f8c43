package dev.cairn.server.master.service;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.Master;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.assignment.TransitionTimes;
import dev.cairn.server.master.balancer.BalancerLog;
import dev.cairn.server.master.chore.Switches.Switch;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.metrics.Metric;
import dev.cairn.server.metrics.Metric.Unit;
import dev.cairn.server.metrics.MetricRecord;
import dev.cairn.server.metrics.MetricSource;
import dev.cairn.server.metrics.OperationCounters;
import dev.cairn.server.metrics.RecordName;
import dev.cairn.server.metrics.Scope.Label;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The metrics of a master. A backup master has those of its process only. Thread-safe. */
public final class MasterMetrics {
  private static final String SERVER = "Master";
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** HBase's default of {@code hbase.metrics.rit.stuck.warning.threshold}. */
  private static final long LONG_TRANSITION_MILLIS = 60_000;

  private final Master master;

  /** Creates the metrics of a master. */
  public MasterMetrics(Master master) {
    this.master = master;
  }

  /** The cluster at one moment. */
  private record Cluster(
      List<ServerName> live,
      List<ServerName> dead,
      List<ServerName> draining,
      long regions,
      long requests,
      int recoveries,
      OperationCounters recoveryTimes,
      long activeMillis,
      long completeMillis,
      long splitPlans,
      long mergePlans) {}

  /** The regions in transition at one moment, and the counters of changes of regions. */
  private record Transitions(
      long count,
      long overThreshold,
      long oldestMillis,
      TransitionTimes times,
      OperationCounters splits,
      OperationCounters merges) {}

  /** The balancer at one moment. */
  private record Balancing(boolean isOn, BalancerLog log, int moving, int movesOfHour) {}

  /** Returns the sources of all records. */
  public List<MetricSource> sources() {
    List<Label> labels = List.of(new Label("server", master.self().hostAndPort()));
    return List.of(
        MetricSource.of(RecordName.of(SERVER, "Server", "master").with(labels), this::server),
        MetricSource.of(
            RecordName.of(SERVER, "AssignmentManager", "assignment").with(labels),
            this::assignments),
        MetricSource.of(
            RecordName.of(SERVER, "Procedure", "procedure").with(labels), this::procedures),
        MetricSource.of(RecordName.of(SERVER, "Balancer", "balancer").with(labels), this::balancer),
        MetricSource.of(
            RecordName.of(SERVER, "Snapshots", "snapshots").with(labels), this::snapshots),
        MetricSource.of(RecordName.of(SERVER, "Quotas", "quotas").with(labels), this::quotas));
  }

  private void server(MetricRecord.Builder to) {
    Optional<Cluster> cluster = ask(MasterMetrics::cluster);
    to.tag("serverName", master.self().toString())
        .tag("isActiveMaster", Boolean.toString(cluster.isPresent()));
    to.add(
        Metric.gauge("masterStartTime", Unit.MILLIS, "When the master started.").as("start_time"),
        master.self().startCode());
    cluster.ifPresent(now -> add(now, to));
  }

  private static void add(Cluster now, MetricRecord.Builder to) {
    to.tag("liveRegionServers", names(now.live()))
        .tag("deadRegionServers", names(now.dead()))
        .tag("drainingRegionServers", names(now.draining()));
    int servers = now.live().size();
    to.add(Metric.gauge("numRegionServers", "Live region servers.").as("live_servers"), servers)
        .add(
            Metric.gauge("numDeadRegionServers", "Dead region servers that are known.")
                .as("dead_servers"),
            now.dead().size())
        .add(
            Metric.gauge("numDrainingRegionServers", "Live region servers that are draining.")
                .as("draining_servers"),
            now.draining().size())
        .addDecimal(
            Metric.gauge("averageLoad", "Regions per region server.").as("regions_per_server"),
            servers == 0 ? 0 : (double) now.regions() / servers)
        .add(
            Metric.gauge("clusterRequests", "Requests of the regions that are open now."),
            now.requests())
        .add(
            Metric.gauge("runningRecoveries", "Dead region servers whose recovery runs."),
            now.recoveries());
    to.add(
            Metric.gauge("masterActiveTime", Unit.MILLIS, "When the master began to lead.")
                .as("active_time"),
            now.activeMillis())
        .add(
            Metric.gauge(
                    "masterFinishedInitializationTime",
                    Unit.MILLIS,
                    "When the master's initialization was complete; 0 before.")
                .as("finished_initialization_time"),
            now.completeMillis())
        .add(
            Metric.counter("splitPlanCount", "Splits that the normalizer has planned.")
                .as("planned_splits"),
            now.splitPlans())
        .add(
            Metric.counter("mergePlanCount", "Merges that the normalizer has planned.")
                .as("planned_merges"),
            now.mergePlans());
    now.recoveryTimes().addTo(to, "ServerCrash", "recoveries of dead servers");
  }

  private static Cluster cluster(ActiveMaster active) {
    List<ServerName> live = List.copyOf(active.servers().all());
    return new Cluster(
        live,
        active.servers().dead(),
        active.draining().all(),
        active.assignments().all().stream().filter(node -> node.openServer().isPresent()).count(),
        live.stream()
            .flatMap(server -> active.servers().load(server).stream())
            .mapToLong(load -> load.getTotalNumberOfRequests())
            .sum(),
        active.members().recoveries().size(),
        active.members().recoveryTimes(),
        active.activeMillis(),
        active.completeMillis(),
        active.normalizer().splitPlans(),
        active.normalizer().mergePlans());
  }

  private static String names(Collection<ServerName> servers) {
    return servers.stream().map(ServerName::toString).sorted().collect(Collectors.joining(";"));
  }

  private void assignments(MetricRecord.Builder to) {
    long now = master.context().clock().currentTimeMillis();
    ask(active -> transitions(active, now))
        .ifPresent(
            transitions -> {
              transitions.times().addTo(to);
              transitions.splits().addTo(to, "Split", "splits of regions");
              transitions.merges().addTo(to, "Merge", "merges of regions");
              to.add(
                  Metric.counter(
                          "operationCount",
                          "Submitted transitions, orders to open and close a region, splits and"
                              + " merges.")
                      .as("submitted"),
                  transitions.times().submittedCount()
                      + transitions.splits().submittedCount()
                      + transitions.merges().submittedCount());
              to.add(
                      Metric.gauge("ritCount", "Regions in transition.")
                          .as("regions_in_transition"),
                      transitions.count())
                  .add(
                      Metric.gauge(
                              "ritCountOverThreshold",
                              "Regions that have been in transition for more than a minute.")
                          .as("regions_in_long_transition"),
                      transitions.overThreshold())
                  .add(
                      Metric.gauge("ritOldestAge", Unit.MILLIS, "Age of the oldest transition.")
                          .as("oldest_transition"),
                      transitions.oldestMillis());
            });
  }

  private static Transitions transitions(ActiveMaster active, long now) {
    long count = 0;
    long over = 0;
    long oldest = 0;
    for (RegionStateNode node : active.assignments().all()) {
      if (node.isShownInTransition()) {
        long age = Math.max(0, now - node.inTransitionSinceMillis());
        count++;
        over += age > LONG_TRANSITION_MILLIS ? 1 : 0;
        oldest = Math.max(oldest, age);
      }
    }
    return new Transitions(
        count,
        over,
        oldest,
        active.assignments().times(),
        active.procedures().counters(ProcedureKind.SPLIT_REGION),
        active.procedures().counters(ProcedureKind.MERGE_REGIONS));
  }

  private void procedures(MetricRecord.Builder to) {
    ask(active -> active.procedures().unfinished().size())
        .ifPresent(
            unfinished ->
                to.add(
                    Metric.gauge("unfinishedProcedures", "Procedures that have not ended.")
                        .as("unfinished"),
                    unfinished));
  }

  private void balancer(MetricRecord.Builder to) {
    ask(active ->
            new Balancing(
                active.switches().isOn(Switch.BALANCER),
                active.balancer().log(),
                active.balancer().moving(),
                active.balancer().log().movesOfHour()))
        .ifPresent(
            now ->
                to.tag("isBalancerActive", Boolean.toString(now.isOn()))
                    .add(
                        Metric.time("BalancerCluster", "Planning time of balancer runs.").as("run"),
                        now.log().times())
                    .add(
                        Metric.counter("movedRegions", "Moves that the balancer has begun.")
                            .as("moves"),
                        now.log().moves())
                    .add(
                        Metric.gauge(
                                "movedRegionsOfHour",
                                "Moves that the balancer has begun within the last hour.")
                            .as("moves_of_hour"),
                        now.movesOfHour())
                    .add(
                        Metric.gauge(
                                "movingRegions",
                                "Regions that the balancer is moving or about to move.")
                            .as("moving"),
                        now.moving())
                    .add(
                        Metric.counter(
                            "miscInvocationCount",
                            "Servers that the balancer chose for single regions: always 0, because"
                                + " region assignment chooses them."),
                        0));
  }

  private void snapshots(MetricRecord.Builder to) {
    ask(ActiveMaster::procedures)
        .ifPresent(
            procedures ->
                to.add(
                        Metric.time("SnapshotTime", "Duration of snapshots.").as("taken"),
                        procedures.counters(ProcedureKind.SNAPSHOT).times())
                    .add(
                        Metric.time("SnapshotCloneTime", "Duration of clones.").as("cloned"),
                        procedures.counters(ProcedureKind.CLONE_SNAPSHOT).times())
                    .add(
                        Metric.time("SnapshotRestoreTime", "Duration of restorations.")
                            .as("restored"),
                        procedures.counters(ProcedureKind.RESTORE_SNAPSHOT).times()));
  }

  private void quotas(MetricRecord.Builder to) {
    ask(active -> SpaceLimitMetrics.of(active.space())).ifPresent(now -> now.addTo(to));
  }

  /** Asks the loop of an active master; empty if it does not lead or does not answer in time. */
  private <T> Optional<T> ask(Function<ActiveMaster, T> question) {
    try {
      return master
          .loop()
          .<Optional<T>>request(future -> future.complete(master.active().map(question)), PATIENCE);
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
