package dev.cairn.server.master.healing;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.ddl.ShapeRequests;
import dev.cairn.server.master.healing.Finding.Kind;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.table.TableResource;
import dev.cairn.server.master.table.Tables;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Unites regions that have rows in common: a merge keeps the cells of all of them. Tries again,
 * after pauses that grow, until nothing overlaps: the regions must be open, and must have rewritten
 * the files of the regions that they were made of. The regions of a disabled table wait until it is
 * enabled. Owned by the loop.
 */
public final class OverlapMerges {
  private static final Logger LOG = LoggerFactory.getLogger(OverlapMerges.class);
  private static final Duration PAUSE_MIN = Duration.ofMillis(500);
  private static final Duration PAUSE_MAX = Duration.ofMinutes(1);

  private final MasterLoop loop;
  private final Tables tables;
  private final Assignments assignments;
  private final Predicate<String> isBusy;
  private final ShapeRequests shapes;
  private final HealingReport report;

  /** The groups that are in the report already. */
  private final Set<List<RegionInfo>> reported = new HashSet<>();

  private Duration pause = PAUSE_MIN;
  private boolean waiting;

  /**
   * Creates it.
   *
   * @param isBusy whether a procedure holds a resource
   */
  public OverlapMerges(
      MasterLoop loop,
      Tables tables,
      Assignments assignments,
      Predicate<String> isBusy,
      ShapeRequests shapes,
      HealingReport report) {
    this.loop = loop;
    this.tables = tables;
    this.assignments = assignments;
    this.isBusy = isBusy;
    this.shapes = shapes;
    this.report = report;
  }

  /** Requests the merges that are due now, and looks again later if some regions overlap. */
  public void request() {
    boolean any = false;
    for (Tables.Table table : List.copyOf(tables.all())) {
      if (table.name().isMeta()) {
        continue;
      }
      for (List<RegionInfo> group : RowRanges.overlaps(assignments.regionsOf(table.name()))) {
        any |= table.isEnabled();
        request(group, table);
      }
    }
    if (!any) {
      pause = PAUSE_MIN;
    } else if (!waiting) {
      waiting = true;
      loop.after(
          pause,
          () -> {
            waiting = false;
            request();
          });
      pause = pause.multipliedBy(2).compareTo(PAUSE_MAX) < 0 ? pause.multipliedBy(2) : PAUSE_MAX;
    }
  }

  private void request(List<RegionInfo> group, Tables.Table table) {
    if (isBusy.test(TableResource.of(table.name()))) {
      return;
    }
    if (reported.add(group)) {
      report.add(
          List.of(
              new Finding(
                  Kind.OVERLAP,
                  group.get(0).regionNameAsString(),
                  "The regions have rows in common: " + group,
                  table.isEnabled()
                      ? "Merges them, which keeps all cells"
                      : "Merges them when the table is enabled")));
    }
    boolean isOpen =
        group.stream()
            .allMatch(
                region ->
                    assignments
                        .find(region.encodedName())
                        .map(RegionStateNode::state)
                        .filter(State.OPEN::equals)
                        .isPresent());
    if (!table.isEnabled() || !isOpen) {
      return;
    }
    CompletableFuture<Long> accepted = new CompletableFuture<>();
    accepted.whenComplete(
        (id, error) -> {
          if (error != null) {
            LOG.info("The regions {} are not merged yet: {}", group, error.getMessage());
          }
        });
    try {
      shapes.mergeOverlapping(group, accepted);
    } catch (IOException e) {
      LOG.info("The regions {} are not merged yet: {}", group, e.getMessage());
    }
  }
}
