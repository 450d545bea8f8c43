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

  private final ProcedureContext environment;
  private final SnapshotDescription snapshot;
  private final Map<String, SnapshotRegionManifest> collected = new LinkedHashMap<>();

  RegionManifests(ProcedureContext environment, SnapshotDescription snapshot) {
    this.environment = environment;
    this.snapshot = snapshot;
  }

  /** Returns the manifests in the order in which they came. */
  List<SnapshotRegionManifest> all() {
    return List.copyOf(collected.values());
  }

  /**
   * Asks the servers of open regions. Asks again, if a region is not open or its server does not
   * answer, until the snapshot has taken too long.
   */
  void collectOpen(List<RegionInfo> regions, Completion completion) {
    Duration patience = environment.snapshotSettings().patience();
    ask(regions, environment.clock().nanoTime() + patience.toNanos(), completion);
  }

  private void ask(List<RegionInfo> regions, long end, Completion completion) {
    Round round = new Round(regions, end, completion);
    List<RegionInfo> left =
        regions.stream().filter(region -> !collected.containsKey(region.encodedName())).toList();
    round.open = left.size();
    if (left.isEmpty()) {
      completion.done();
    }
    left.forEach(round::ask);
  }

  /** One request to each server that has regions of which nothing is known yet. */
  private final class Round {
    private final List<RegionInfo> regions;
    private final long end;
    private final Completion completion;
    private int open;
    private Optional<IOException> failure = Optional.empty();

    Round(List<RegionInfo> regions, long end, Completion completion) {
      this.regions = regions;
      this.end = end;
      this.completion = completion;
    }

    private void ask(RegionInfo region) {
      Optional<ServerName> server =
          environment.assignments().find(region.encodedName()).flatMap(RegionStateNode::openServer);
      if (server.isEmpty()) {
        answered(
            Optional.of(
                new NotServingRegionException(region.regionNameAsString() + " is not open")));
        return;
      }
      Duration patience = environment.snapshotSettings().patience();
      environment
          .loop()
          .perform(
              Lane.requests(server.get()),
              () -> environment.calls().snapshot(server.get(), region, snapshot, patience),
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
          || environment.clock().nanoTime() - end >= 0) {
        completion.failed(failed(failure.get()));
      } else {
        environment.loop().after(PAUSE, () -> RegionManifests.this.ask(regions, end, completion));
      }
    }
  }

  /** Reads the directories of regions that no server has open. */
  void collectClosed(List<RegionInfo> regions, TableSchema schema, Completion completion) {
    environment
        .loop()
        .perform(
            Lane.FILES,
            () -> {
              List<SnapshotRegionManifest> manifests = new ArrayList<>();
              for (RegionInfo region : regions) {
                manifests.add(SnapshotManifests.of(environment.shapes().snapshot(region, schema)));
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
