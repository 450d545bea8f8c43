package dev.cairn.engine.region;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.scan.DeleteRule;
import dev.cairn.engine.scan.DeleteRules;
import java.util.Arrays;
import java.util.Optional;
import java.util.TreeSet;

/** Rules for delete markers from outside the engine. */
final class SuppliedRules {
  /** HBase's classic rule; families with NEW_VERSION_BEHAVIOR keep their own. */
  static final DeleteRules CLASSIC =
      family -> family.newVersionBehavior() ? Optional.empty() : Optional.of(new Classic());

  /** No marker hides anything. */
  static final DeleteRules IGNORING = family -> Optional.of(new Ignoring());

  private SuppliedRules() {}

  private static final class Ignoring implements DeleteRule {
    @Override
    public void startRow() {}

    @Override
    public void add(Cell marker) {}

    @Override
    public Effect check(Cell put) {
      return Effect.VISIBLE;
    }
  }

  private static final class Classic implements DeleteRule {
    private final TreeSet<Long> familyVersions = new TreeSet<>();
    private final TreeSet<Long> versions = new TreeSet<>();
    private long family = Long.MIN_VALUE;
    private long column = Long.MIN_VALUE;
    private byte[] qualifier = {};

    @Override
    public void startRow() {
      familyVersions.clear();
      versions.clear();
      family = Long.MIN_VALUE;
      column = Long.MIN_VALUE;
      qualifier = new byte[0];
    }

    private void enter(Cell cell) {
      if (!Arrays.equals(qualifier, cell.qualifier())) {
        qualifier = cell.qualifier();
        versions.clear();
        column = Long.MIN_VALUE;
      }
    }

    @Override
    public void add(Cell marker) {
      long time = marker.timestamp();
      switch (CellType.of(marker.typeCode())) {
        case DELETE_FAMILY -> family = Math.max(family, time);
        case DELETE_FAMILY_VERSION -> familyVersions.add(time);
        case DELETE_COLUMN -> {
          enter(marker);
          column = Math.max(column, time);
        }
        default -> {
          enter(marker);
          versions.add(time);
        }
      }
    }

    @Override
    public Effect check(Cell put) {
      enter(put);
      long time = put.timestamp();
      if (family != Long.MIN_VALUE && time <= family) {
        return Effect.FAMILY_DELETED;
      }
      if (column != Long.MIN_VALUE && time <= column) {
        return Effect.COLUMN_DELETED;
      }
      if (versions.contains(time)) {
        return Effect.VERSION_DELETED;
      }
      return familyVersions.contains(time) ? Effect.FAMILY_VERSION_DELETED : Effect.VISIBLE;
    }
  }
}
