package dev.cairn.engine.scan.match;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.scan.DeleteRule;

/** Applies a delete rule from outside the engine. The rule checks every put. */
public final class SuppliedDeleteTracker extends DeleteTracker {
  private final DeleteRule rule;

  /** Creates a tracker for the one read or rewrite that the rule serves. */
  public SuppliedDeleteTracker(DeleteRule rule) {
    this.rule = rule;
  }

  /** A rule serves no other read. */
  @Override
  boolean isLarge() {
    return true;
  }

  @Override
  public void startRow() {
    rule.startRow();
  }

  @Override
  public void startColumn() {}

  @Override
  public boolean add(Cell marker) {
    rule.add(marker);
    return false;
  }

  @Override
  public Verdict check(Cell put) {
    return switch (rule.check(put)) {
      case VISIBLE -> Verdict.VISIBLE;
      case VERSION_DELETED -> Verdict.VERSION_DELETED;
      case FAMILY_VERSION_DELETED -> Verdict.FAMILY_VERSION_DELETED;
      case COLUMN_DELETED -> Verdict.COLUMN_HIDDEN;
      case FAMILY_DELETED -> Verdict.FAMILY_HIDDEN;
    };
  }

  @Override
  boolean isIdle() {
    return false;
  }
}
