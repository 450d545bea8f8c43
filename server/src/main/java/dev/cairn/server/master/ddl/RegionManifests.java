package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.snapshot.SnapshotManifests;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.snapshot.SnapshotCreationException;

/**
 * Collects the manifests of a table's regions for one snapshot: of open regions from their servers,
 * of others from their directories. Owned by the loop.
 */
final class RegionManifests {
  private static final Duration PAUSE = Duration.ofMillis(200);

  /**
   * The time after which an unanswered server is asked again, because a request or an answer may be
   * lost. A repeated request waits for the flush that the first one began.
   */
  private static final Duration ANSWER_MAX = Duration.ofMinutes(1);

  /** The time for which a snapshot waits for regions that are not open while the master stops. */
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(2);

  private final ProcedureContext context;
  private final Map<String, SnapshotRegionManifest> collected = new LinkedHashMap<>();
  private SnapshotDescription snapshot = SnapshotDescription.getDefaultInstance();

  /** The time at which the snapshot times out. */
  private long end = Long.MAX_VALUE;

  /** The time at which a stopping master waits no longer; empty while it does not stop. */
  private Optional<Long> stopEnd = Optional.empty();

  RegionManifests(ProcedureContext context) {
    this.context = context;
  }

  /** Begins to collect for a snapshot; forgets everything collected before. */
  void begin(SnapshotDescription wanted) {
    snapshot = wanted;
    collected.clear();
  }

  /** Waits for regions that are not open for a short time only: the master stops. */
  void hurry() {
    stopEnd = Optional.of(context.clock().nanoTime() + STOP_PATIENCE.toNanos());
  }

  /** Returns the manifests in the order in which they came. */
  List<SnapshotRegionManifest> all() {
    return List.copyOf(collected.values());
  }

  /**
   * Asks the servers of open regions. Asks again, if a region is not open or its server does not
   * answer, until the snapshot has taken too long. Fails at once if a region was closed on request:
   * it stays closed, and the table would be locked in vain.
   */
  void collectOpen(List<RegionInfo> regions, Completion completion) {
    Duration patience = context.snapshotSettings().patience();
    end = context.clock().nanoTime() + patience.toNanos();
    ask(regions, completion);
  }

  private void ask(List<RegionInfo> regions, Completion completion) {
    Round round = new Round(regions, completion);
    List<RegionInfo> left =
        regions.stream().filter(region -> !collected.containsKey(region.encodedName())).toList();
    round.open = left.size();
    if (left.isEmpty()) {
      completion.done();
    }
    left.forEach(round::ask);
  }

  /** Sends one request to each server with regions without a manifest. */
  private final class Round {
    private final List<RegionInfo> regions;
    private final Completion completion;
    private int open;
    private Optional<IOException> failure = Optional.empty();

    Round(List<RegionInfo> regions, Completion completion) {
      this.regions = regions;
      this.completion = completion;
    }

    private void ask(RegionInfo region) {
      Optional<RegionStateNode> node = context.assignments().find(region.encodedName());
      Optional<ServerName> server = node.flatMap(RegionStateNode::openServer);
      if (server.isEmpty()) {
        boolean comes = node.filter(RegionStateNode::isWantedOpen).isPresent();
        answered(Optional.of(comes ? notOpen(region) : closed(region)));
        return;
      }
      Duration whole = context.snapshotSettings().patience();
      Duration patience = whole.compareTo(ANSWER_MAX) < 0 ? whole : ANSWER_MAX;
      context
          .loop()
          .perform(
              Lane.requests(server.get()),
              () -> context.calls().snapshot(server.get(), region, snapshot, patience),
              manifest -> {
                collected.put(region.encodedName(), manifest);
                answered(Optional.empty());
              },
              cause -> answered(Optional.of(cause)));
    }

    private void answered(Optional<IOException> cause) {
      failure = cause.isPresent() ? cause : failure;
      if (--open > 0) {
        return;
      }
      if (failure.isEmpty()) {
        completion.done();
      } else if (failure.get() instanceof DoNotRetryIOException
          || isOver(end)
          || stopEnd.filter(RegionManifests.this::isOver).isPresent()) {
        completion.failed(failed(failure.get()));
      } else {
        context.loop().after(PAUSE, () -> RegionManifests.this.ask(regions, completion));
      }
    }
  }

  private boolean isOver(long nanos) {
    return context.clock().nanoTime() - nanos >= 0;
  }

  private static IOException notOpen(RegionInfo region) {
    return new NotServingRegionException(region.regionNameAsString() + " is not open");
  }

  private static IOException closed(RegionInfo region) {
    return new DoNotRetryIOException(
        region.regionNameAsString()
            + " was closed on request. Assign it, or disable the table, and take the snapshot again");
  }

  /** Reads the directories of regions that no server has open. */
  void collectClosed(List<RegionInfo> regions, TableSchema schema, Completion completion) {
    context
        .loop()
        .perform(
            Lane.FILES,
            () -> {
              List<SnapshotRegionManifest> manifests = new ArrayList<>();
              for (RegionInfo region : regions) {
                manifests.add(SnapshotManifests.of(context.shapes().snapshot(region, schema)));
              }
              return manifests;
            },
            manifests -> {
              for (int i = 0; i < regions.size(); i++) {
                collected.put(regions.get(i).encodedName(), manifests.get(i));
              }
              completion.done();
            },
            cause -> completion.failed(failed(cause)));
  }

  private SnapshotCreationException failed(IOException cause) {
    return new SnapshotCreationException(
        "The snapshot "
            + snapshot.getName()
            + " of "
            + snapshot.getTable()
            + " was not taken: "
            + cause.getMessage());
  }
}
