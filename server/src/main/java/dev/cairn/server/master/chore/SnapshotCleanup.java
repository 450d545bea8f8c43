package dev.cairn.server.master.chore;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.master.chore.Switches.Switch;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.snapshot.SnapshotDescriptions;
import dev.cairn.server.snapshot.SnapshotDirectory;
import dev.cairn.server.snapshot.SnapshotSettings;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes snapshots on request, and periodically those whose time to live is over. Removes the
 * unfinished snapshots of earlier masters. Owned by the loop.
 */
public final class SnapshotCleanup {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotCleanup.class);

  private final MasterLoop loop;
  private final Clock clock;
  private final SnapshotDirectory snapshots;
  private final SnapshotSettings settings;
  private final Switches switches;
  private final long epoch;
  private final Function<String, Optional<Long>> user;

  /**
   * Creates it.
   *
   * @param epoch the master's epoch
   * @param user returns the id of the procedure that takes, restores or clones the snapshot of a
   *     name
   */
  public SnapshotCleanup(
      MasterLoop loop,
      Clock clock,
      SnapshotDirectory snapshots,
      SnapshotSettings settings,
      Switches switches,
      long epoch,
      Function<String, Optional<Long>> user) {
    this.loop = loop;
    this.clock = clock;
    this.snapshots = snapshots;
    this.settings = settings;
    this.switches = switches;
    this.epoch = epoch;
    this.user = user;
  }

  /** Starts the periodic deletion; the first one begins at once. */
  public void start() {
    loop.perform(
        Lane.FILES,
        () -> snapshots.sweep(epoch),
        Completion.of(
            () -> {},
            cause -> LOG.warn("Snapshots that were not finished stay: {}", cause.toString())));
    if (switches.isOn(Switch.SNAPSHOT_CLEANUP)) {
      deleteExpired();
    }
    loop.after(settings.cleanupInterval(), this::start);
  }

  private void deleteExpired() {
    loop.perform(
        Lane.FILES,
        () ->
            snapshots.list().stream()
                .filter(one -> SnapshotDescriptions.isExpired(one, clock.currentTimeMillis()))
                .map(SnapshotDescription::getName)
                .toList(),
        this::deleteExpired,
        cause -> LOG.warn("Expired snapshots stay for now: {}", cause.toString()));
  }

  private void deleteExpired(List<String> names) {
    for (String name : names) {
      delete(
          name,
          deleted -> LOG.info("The snapshot {} is deleted, its time to live is over", name),
          cause -> LOG.warn("The expired snapshot {} stays for now: {}", name, cause.toString()));
    }
  }

  /**
   * Deletes a snapshot, unless a procedure uses it.
   *
   * @param done receives whether there was one
   */
  public void delete(String name, Consumer<Boolean> done, Consumer<IOException> failed) {
    Optional<Long> procedure = user.apply(name);
    if (procedure.isPresent()) {
      failed.accept(
          new IOException("The snapshot " + name + " is in use by procedure " + procedure.get()));
      return;
    }
    loop.perform(Lane.FILES, () -> snapshots.delete(name), done, failed);
  }
}
