package dev.cairn.torture.model;

import dev.cairn.engine.hostile.HostileBytes;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The features of one run of a random test. Data with every feature never reaches a path that was
 * built for plain data. So a third of the runs are plain, a third have every feature, and the
 * others have some. Tests print this with their seed.
 *
 * @param features the features that the run has
 * @param bytes the run's rows, qualifiers and values
 */
public record Swarm(Set<Feature> features, HostileBytes bytes) {
  private static final int[] FEW_ROWS = {2, 7, 30, 30, 100};
  private static final int[] ANY_ROWS = {2, 7, 30, 100, 300, 300, 1000, 3000, 10_000};

  /** A feature that a run has or lacks. */
  public enum Feature {
    /** Tables with several families. */
    FAMILIES,
    /** Families that keep several versions. */
    VERSIONS,
    /** Families whose cells expire. */
    TTL,
    /** Large values in files of their own. */
    MOB,
    /** Deletes, and the attributes of families that change their effect. */
    DELETES,
    /** Increments and appends. */
    COMPUTED,
    /** Timestamps that clients set. */
    TIMES,
    /** Tags, and cells with a time to live. */
    TAGS,
    /** Several changes of a row together, and changes with a condition. */
    TOGETHER,
    /** Files that are loaded. */
    BULK_LOADS,
    /** Failures, crashes and a full disk. */
    FAULTS,
    /** Regions that are split, closed and opened, and servers that restart. */
    MOVES,
    /** Reads of some columns and families. */
    COLUMNS,
    /** Reads of a range of times. */
    TIME_RANGES,
    /** Limits of the cells in each row and family. */
    CELL_LIMITS,
    /** Reads of more versions than one. */
    VERSIONS_READ,
    /** Reads of everything, deleted or not. */
    RAW,
    /** Reads in descending order. */
    REVERSED,
    /** Reads with a filter. */
    FILTERS,
    /** Indexes, which come and go, and reads with filters on the values of columns. */
    INDEXES,
    /** Limits of cells, bytes or time, at which a read stops within a row. */
    PARTS_OF_ROWS
  }

  /** Makes the set unmodifiable. */
  public Swarm {
    Set<Feature> copy = EnumSet.noneOf(Feature.class);
    copy.addAll(features);
    features = Collections.unmodifiableSet(copy);
  }

  /** Draws a run. Only one without versions and deletes may have thousands of rows. */
  public static Swarm draw(RandomGenerator random) {
    Set<Feature> features = EnumSet.noneOf(Feature.class);
    int kind = random.nextInt(3);
    for (Feature feature : Feature.values()) {
      boolean some = random.nextBoolean();
      if (kind == 0 || kind == 1 && some) {
        features.add(feature);
      }
    }
    boolean plain =
        !features.contains(Feature.VERSIONS)
            && !features.contains(Feature.DELETES)
            && !features.contains(Feature.TTL);
    int[] rows = plain ? ANY_ROWS : FEW_ROWS;
    return new Swarm(
        features,
        HostileBytes.draw(random, rows[random.nextInt(rows.length)], 1 + random.nextInt(12)));
  }

  /** Tells whether the run has a feature. */
  public boolean has(Feature feature) {
    return features.contains(feature);
  }

  /** Returns this without some features. */
  public Swarm without(Feature... some) {
    Set<Feature> left = EnumSet.noneOf(Feature.class);
    left.addAll(features);
    for (Feature feature : some) {
      left.remove(feature);
    }
    return new Swarm(left, bytes);
  }

  /** Returns this with other bytes. */
  public Swarm with(HostileBytes others) {
    return new Swarm(features, others);
  }

  @Override
  public String toString() {
    return (features.isEmpty() ? "plain" : features.toString()) + ", " + bytes;
  }
}
