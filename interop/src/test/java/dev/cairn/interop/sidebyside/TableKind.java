package dev.cairn.interop.sidebyside;

import dev.cairn.torture.model.Swarm;
import dev.cairn.torture.model.Swarm.Feature;
import java.util.random.RandomGenerator;

/**
 * What a table is used for. HBase cannot do everything: it forgets markers of a family behind a
 * newer cell without a qualifier, and NEW_VERSION_BEHAVIOR does not hold what it promises. So it
 * has tables that have one or the other, and Cairn has one kind more, which only the model knows.
 *
 * @param emptyQualifiers whether there are cells without a qualifier
 * @param familyMarkers whether whole families and rows are deleted
 * @param newVersionBehavior whether families may go by the order of writing
 */
record TableKind(boolean emptyQualifiers, boolean familyMarkers, boolean newVersionBehavior) {
  static TableKind random(RandomGenerator random, Swarm swarm) {
    if (!swarm.has(Feature.DELETES)) {
      return new TableKind(random.nextBoolean(), false, false);
    }
    return switch (random.nextInt(6)) {
      case 0 -> new TableKind(true, true, random.nextBoolean());
      case 1, 2 -> new TableKind(true, false, false);
      default -> new TableKind(false, true, false);
    };
  }

  /** Tells whether HBase has such a table, too. */
  boolean isForBoth() {
    return !newVersionBehavior && !(emptyQualifiers && familyMarkers);
  }
}
