package dev.cairn.server.regionserver;

import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.metrics.MetricSource;
import dev.cairn.server.regionserver.admin.ReplicaCalls;
import dev.cairn.server.regionserver.assignment.LostRegions;
import dev.cairn.server.regionserver.maintenance.Flushes;
import dev.cairn.server.regionserver.maintenance.MemStorePressure;
import dev.cairn.server.regionserver.membership.ChoreService;
import dev.cairn.server.regionserver.replica.ReplicaFlushes;
import dev.cairn.server.regionserver.replica.ReplicaGreeter;
import dev.cairn.server.regionserver.replica.ReplicaMetrics;
import dev.cairn.server.regionserver.replica.ReplicaReceiver;
import dev.cairn.server.regionserver.replica.ReplicaRefresh;
import dev.cairn.server.regionserver.replica.ReplicaSender;
import java.util.List;
import java.util.concurrent.Executor;

/** Keeps the replicas at a server current, and those of its regions at other servers. */
final class ReplicaSync {
  private final ServerName name;
  private final ReplicaMetrics metrics;
  private final ReplicaRefresh refresh;
  private final ReplicaReceiver receiver;
  private final ReplicaSender sender;
  private final ReplicaGreeter greeter;
  private final ReplicaFlushes asking;
  private final Executor executor;

  /**
   * Creates it for a server without regions.
   *
   * @param flushes flushes regions whose replicas lack changes
   * @param pressure tells which replicas hold too much memory
   * @param lost reports replicas that cannot be served
   */
  ReplicaSync(SharedParts shared, Flushes flushes, MemStorePressure pressure, LostRegions lost) {
    RegionServerContext context = shared.context();
    this.executor = shared.executors().chores();
    this.refresh =
        new ReplicaRefresh(
            shared.regions(),
            shared.clock(),
            ReplicaRefresh.Periods.of(shared.config()),
            context.files().archiveMillis(),
            lost::report);
    this.name = shared.state().serverName();
    this.metrics = new ReplicaMetrics(shared.regions(), context.memory().feeds(), shared.clock());
    this.receiver = new ReplicaReceiver(shared.regions(), refresh, shared.clock(), metrics);
    this.sender =
        new ReplicaSender(
            name,
            shared.regions(),
            context.cluster().replicas(),
            receiver,
            region -> flushes.request(region, FlushScope.ALL, "its replicas need the files"),
            executor,
            shared.clock(),
            metrics);
    this.greeter =
        new ReplicaGreeter(
            name, shared.regions(), context.cluster().replicas(), sender, shared.clock());
    this.asking =
        new ReplicaFlushes(
            name, pressure::replicasToFlush, context.cluster().replicas(), sender, shared.clock());
  }

  /** Returns the sources of the metrics of replicas. */
  List<MetricSource> metrics() {
    return metrics.sources(name);
  }

  /** Returns the handler of calls between servers of regions and servers of their replicas. */
  ReplicaCalls calls() {
    return new ReplicaCalls(receiver, sender);
  }

  /**
   * Refreshes the replicas of a region after a read has met a file that is gone. Does not block.
   */
  void lost(String encodedName) {
    executor.execute(() -> refresh.lost(encodedName));
  }

  /** Looks periodically for changes that replicas have to see. */
  void startChores(ChoreService chores) {
    chores.every(refresh.checkMillis(), "Looking for store files of replicas", refresh::check);
    chores.every(
        ReplicaSender.CHECK_MILLIS, "Telling replicas of changes", sender::isDue, sender::check);
    chores.every(
        ReplicaGreeter.CHECK_MILLIS,
        "Greeting the regions of replicas",
        greeter::isDue,
        greeter::check);
    chores.every(
        ReplicaFlushes.CHECK_MILLIS,
        "Asking for flushes of the regions of replicas",
        asking::isDue,
        asking::check);
  }
}
