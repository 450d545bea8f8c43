package dev.cairn.coprocessor.facade;

import dev.cairn.coprocessor.environment.CallerOfThread;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.scan.DeleteRule;
import dev.cairn.engine.scan.DeleteRules;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.server.filter.CellView;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.querymatcher.DeleteTracker;
import org.apache.hadoop.hbase.regionserver.querymatcher.NewVersionBehaviorTracker;
import org.apache.hadoop.hbase.regionserver.querymatcher.ScanDeleteTracker;

/**
 * Lets hooks replace HBase's tracker of delete markers for each read and rewrite of a family. If
 * they keep HBase's tracker, the engine's own rule applies, which is equivalent. Thread-safe.
 *
 * @param host calls the hooks
 */
public record DeleteHook(RegionCoprocessorHost host) implements DeleteRules {
  @Override
  @SuppressWarnings("deprecation") // HBase still calls the hook
  public Optional<DeleteRule> of(FamilySchema family) throws IOException {
    DeleteTracker stored = tracker(family);
    DeleteTracker chosen;
    try (CallerOfThread caller = CallerOfThread.enter()) {
      chosen = host.postInstantiateDeleteTracker(stored);
    }
    if (chosen == stored) {
      return Optional.empty();
    }
    if (chosen == null || family.newVersionBehavior()) {
      throw new DoNotRetryIOException(
          "A coprocessor returns the tracker of delete markers "
              + chosen
              + " for the family "
              + family.nameAsString()
              + (chosen == null ? "" : ", whose NEW_VERSION_BEHAVIOR needs its own"));
    }
    return Optional.of(new RuleOfTracker(chosen));
  }

  private static DeleteTracker tracker(FamilySchema family) {
    CellComparator comparator = CellComparator.getInstance();
    return family.newVersionBehavior()
        ? new NewVersionBehaviorTracker(
            null,
            comparator,
            family.minVersions(),
            family.maxVersions(),
            family.maxVersions(),
            Long.MIN_VALUE)
        : new ScanDeleteTracker(comparator);
  }

  /** HBase's tracker in the engine. It may keep a marker until the row ends, but no put. */
  private record RuleOfTracker(DeleteTracker tracker) implements DeleteRule {
    @Override
    public void startRow() {
      tracker.reset();
    }

    @Override
    public void add(Cell marker) {
      tracker.add(CellView.copyOf(marker));
    }

    @Override
    public Effect check(Cell put) {
      if (tracker.isEmpty()) {
        return Effect.VISIBLE;
      }
      return switch (tracker.isDeleted(CellView.over(put))) {
        case NOT_DELETED -> Effect.VISIBLE;
        case FAMILY_DELETED -> Effect.FAMILY_DELETED;
        case FAMILY_VERSION_DELETED -> Effect.FAMILY_VERSION_DELETED;
        case COLUMN_DELETED -> Effect.COLUMN_DELETED;
        case VERSION_DELETED, VERSION_MASKED -> Effect.VERSION_DELETED;
      };
    }
  }
}
