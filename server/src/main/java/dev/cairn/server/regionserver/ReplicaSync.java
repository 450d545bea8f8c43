package dev.cairn.server.regionserver;

import dev.cairn.server.regionserver.assignment.LostRegions;
import dev.cairn.server.regionserver.membership.ChoreService;
import dev.cairn.server.regionserver.replica.ReplicaNotices;
import dev.cairn.server.regionserver.replica.ReplicaRefresh;
import java.util.concurrent.Executor;

/** Keeps the replicas at a server current, and those of its regions at other servers. */
final class ReplicaSync {
  private final ReplicaRefresh refresh;
  private final ReplicaNotices notices;
  private final Executor executor;

  /**
   * Creates it for a server without regions.
   *
   * @param lost reports replicas that cannot be served
   */
  ReplicaSync(SharedParts shared, LostRegions lost) {
    RegionServerContext context = shared.context();
    this.executor = shared.executors().chores();
    this.refresh =
        new ReplicaRefresh(
            shared.regions(),
            shared.clock(),
            shared.config().get(ReplicaRefresh.PERIOD_MILLIS),
            context.files().archiveMillis(),
            lost::report);
    this.notices =
        new ReplicaNotices(
            shared.state().serverName(),
            shared.regions(),
            context.cluster().replicas(),
            refresh,
            executor,
            shared.clock());
  }

  /** Returns what refreshes the replicas at this server. */
  ReplicaRefresh refresh() {
    return refresh;
  }

  /**
   * Refreshes the replicas of a region after a read has met a file that is gone. Does not block.
   */
  void lost(String encodedName) {
    executor.execute(() -> refresh.lost(encodedName));
  }

  /** Looks periodically for changes of files that replicas have to see. */
  void startChores(ChoreService chores) {
    chores.every(refresh.checkMillis(), "Looking for store files of replicas", refresh::check);
    chores.every(
        ReplicaNotices.CHECK_MILLIS,
        "Telling replicas of store files",
        notices::isDue,
        notices::check);
  }
}
