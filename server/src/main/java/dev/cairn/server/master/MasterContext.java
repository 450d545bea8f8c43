package dev.cairn.server.master;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.RegionShapes;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.master.members.DeadServerLogs;
import dev.cairn.server.master.normalizer.NormalizerSettings;
import dev.cairn.server.master.remote.ServerCalls;
import dev.cairn.server.master.store.MasterStore;
import dev.cairn.server.master.table.SchemaRules;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Everything outside the master that it works with.
 *
 * @param storage the root directory
 * @param shapes splits, merges and empties regions there
 * @param coordination the master's own session
 * @param calls calls region servers; {@code hbase:meta} is read and written through it, too
 * @param logs the logs of dead servers
 * @param store opens the master's store; called once, when the master becomes active
 * @param schemas the checks of table descriptors
 * @param quotas whether the limits of namespaces are enforced
 * @param handlers the most threads that answer the master's callers, of any one kind of calls
 * @param janitorInterval the time between two checks for split and merged regions to remove
 * @param normalizer when and how the region normalizer works
 * @param lockTimeout after this time without a heartbeat a client's lock ends
 * @param ids makes ids for new clusters
 * @param lifecycle is told when the process is to end
 */
public record MasterContext(
    Clock clock,
    Storage storage,
    RegionShapes shapes,
    Coordination coordination,
    ServerCalls calls,
    DeadServerLogs logs,
    StoreOpener store,
    SchemaRules schemas,
    boolean quotas,
    int handlers,
    Duration janitorInterval,
    NormalizerSettings normalizer,
    Duration lockTimeout,
    Supplier<UUID> ids,
    Lifecycle lifecycle) {

  /** Opens the master's store. */
  @FunctionalInterface
  public interface StoreOpener {
    /** Opens it; recovers what was logged and not yet in its files. */
    MasterStore open() throws IOException;
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
