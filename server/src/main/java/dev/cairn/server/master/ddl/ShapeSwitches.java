package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.RegionInfo;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * The administrators' switches for splits and merges. Owned by the loop.
 *
 * @param splits the switch for splits
 * @param merges the switch for merges
 */
public record ShapeSwitches(BooleanSupplier splits, BooleanSupplier merges) {
  /**
   * Checks that a region may be split.
   *
   * @throws DoNotRetryIOException if the switch is off
   */
  public void requireSplits(RegionInfo region) throws DoNotRetryIOException {
    if (!splits.getAsBoolean()) {
      throw new DoNotRetryIOException(
          "Split region " + region.regionNameAsString() + " failed due to split switch off");
    }
  }

  /**
   * Checks that regions may be merged.
   *
   * @throws DoNotRetryIOException if the switch is off
   */
  public void requireMerges(List<RegionInfo> regions) throws DoNotRetryIOException {
    if (!merges.getAsBoolean()) {
      throw new DoNotRetryIOException(
          "Merge of "
              + regions.stream().map(RegionInfo::regionNameAsString).toList()
              + " failed because merge switch is off");
    }
  }
}
