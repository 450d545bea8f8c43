package dev.cairn.coprocessor.read;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.querymatcher.DeleteTracker;
import org.apache.hadoop.hbase.regionserver.querymatcher.ScanDeleteTracker;

/**
 * Replaces the tracker of delete markers as {@link #mode} says, and records the trackers' calls.
 */
public class DeletesProbe implements RegionCoprocessor, RegionObserver {
  static final List<String> CALLS = new CopyOnWriteArrayList<>();

  /** What the hook returns. */
  enum Mode {
    GIVEN,
    IGNORING,
    SAME_RULE
  }

  static volatile Mode mode = Mode.GIVEN;

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  @SuppressWarnings("deprecation") // HBase still calls it
  public DeleteTracker postInstantiateDeleteTracker(
      ObserverContext<RegionCoprocessorEnvironment> context, DeleteTracker tracker)
      throws IOException {
    CALLS.add("hook " + tracker.getClass().getSimpleName());
    return switch (mode) {
      case GIVEN -> tracker;
      case SAME_RULE -> new ScanDeleteTracker(tracker.getCellComparator());
      case IGNORING ->
          new ScanDeleteTracker(tracker.getCellComparator()) {
            @Override
            public DeleteResult isDeleted(Cell cell) {
              CALLS.add("isDeleted " + super.isDeleted(cell));
              return DeleteResult.NOT_DELETED;
            }
          };
    };
  }
}
