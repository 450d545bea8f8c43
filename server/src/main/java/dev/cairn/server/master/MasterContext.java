package dev.cairn.server.master;

import dev.cairn.engine.storage.FencedStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.RegionShapes;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.master.balancer.BalancerSettings;
import dev.cairn.server.master.group.GroupSettings;
import dev.cairn.server.master.hook.MasterHookSource;
import dev.cairn.server.master.members.MemberSettings;
import dev.cairn.server.master.normalizer.NormalizerSettings;
import dev.cairn.server.master.placement.PlacementRules;
import dev.cairn.server.master.recovery.DeadServerLogs;
import dev.cairn.server.master.remote.ServerCalls;
import dev.cairn.server.master.store.MasterStore;
import dev.cairn.server.master.table.SchemaRules;
import dev.cairn.server.quota.QuotaSchedule;
import dev.cairn.server.snapshot.SnapshotSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Everything outside the master that it works with.
 *
 * @param storage the root directory
 * @param fenced the same storage, for changes that must have no effect after the master is
 *     replaced; the master becomes its owner when it leads
 * @param shapes splits, merges and empties regions there
 * @param coordination the master's own session
 * @param calls calls region servers; {@code hbase:meta} is read and written through it, too
 * @param logs the logs of dead servers
 * @param placementRules change the rules by which a server is chosen for a region
 * @param store opens the master's store; called once, when the master becomes active
 * @param schemas the checks of table descriptors
 * @param quotas whether there are quotas, and when space is measured
 * @param handlers the most threads that answer the master's callers, of any one kind of calls
 * @param janitorInterval the time between two checks for split and merged regions to remove
 * @param normalizer when and how the region normalizer works
 * @param groups whether there are groups of region servers
 * @param balancer when and how regions are moved
 * @param snapshots when snapshots are taken and deleted
 * @param lockTimeout after this time without a heartbeat a client's lock ends
 * @param ids makes ids for new clusters
 * @param hooks starts the coprocessors when the master becomes active
 * @param lifecycle ends the process on request
 */
public record MasterContext(
    Clock clock,
    Storage storage,
    FencedStorage fenced,
    RegionShapes shapes,
    Coordination coordination,
    ServerCalls calls,
    DeadServerLogs logs,
    MemberSettings members,
    PlacementRules placementRules,
    StoreOpener store,
    SchemaRules schemas,
    QuotaSchedule quotas,
    int handlers,
    Duration janitorInterval,
    NormalizerSettings normalizer,
    GroupSettings groups,
    BalancerSettings balancer,
    SnapshotSettings snapshots,
    Duration lockTimeout,
    Supplier<UUID> ids,
    MasterHookSource hooks,
    Lifecycle lifecycle) {

  /** Opens the master's store. */
  @FunctionalInterface
  public interface StoreOpener {
    /**
     * Opens it; recovers logged changes that are not in its files yet.
     *
     * @param epoch the epoch of the new owner; the call fails if there is a later one
     * @param leads asked after the logs are listed and before any is taken away, so that none is
     *     that of a master after this one
     */
    MasterStore open(long epoch, LeadCheck leads) throws IOException;
  }

  /** Finds out whether a master still leads. */
  @FunctionalInterface
  public interface LeadCheck {
    /**
     * Returns if no other master has led before now; waits for the network.
     *
     * @throws IOException if it does not lead any more, or that cannot be found out
     */
    void check() throws IOException;
  }

  /** Ends the process. Called by any thread; returns at once. */
  public interface Lifecycle {
    /** An administrator asked that this master stop. */
    void stopMaster();

    /** An administrator asked that all servers stop. */
    void stopCluster();

    /** The master cannot go on: {@code reason}, a sentence for the log. */
    void abort(String reason, Throwable cause);
  }
}
