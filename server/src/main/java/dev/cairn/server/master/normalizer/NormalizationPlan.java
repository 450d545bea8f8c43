package dev.cairn.server.master.normalizer;

import dev.cairn.engine.schema.RegionInfo;
import java.util.List;

/** One change of a table's regions. */
sealed interface NormalizationPlan {
  /** Returns the size of the regions that change, MB. */
  long sizeMb();

  /** Splits a region in its middle. */
  record Split(RegionInfo region, long sizeMb) implements NormalizationPlan {}

  /** Merges neighbours. */
  record Merge(List<RegionInfo> regions, long sizeMb) implements NormalizationPlan {}
}
