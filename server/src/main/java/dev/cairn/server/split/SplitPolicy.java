package dev.cairn.server.split;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Decides when one region is split. The caller checks whether the region can be split: system
 * tables and regions with references cannot. Thread-safe.
 */
public sealed interface SplitPolicy
    permits BusySplitPolicy,
        SplitPolicy.ConstantSize,
        SplitPolicy.Disabled,
        SplitPolicy.Increasing,
        SplitPolicy.OfUser,
        SplitPolicy.Prefix,
        SplitPolicy.Stepping {
  /** Splits no region, not even on request. */
  SplitPolicy DISABLED = new Disabled();

  /** Tells whether the region should be split now. */
  boolean shouldSplit(Candidate region);

  /**
   * Returns the row to split at instead of {@code row}; empty if there is none. A {@linkplain
   * OfUser user's policy} returns {@code row} itself: it is called for each split, not for each
   * candidate row.
   */
  default byte[] restrict(byte[] row) {
    return row;
  }

  /**
   * The sizes at which one region is split, bytes of store files.
   *
   * @param maxBytes the size above which a region is split, with the region's own jitter
   * @param initialBytes the size above which the first regions of a table are split
   * @param overallFiles whether the sizes of all families are added up; if not, the largest family
   *     counts
   */
  record Sizes(long maxBytes, long initialBytes, boolean overallFiles) {
    /** Tells whether a region is larger than {@code bytes}. */
    boolean exceeds(Candidate region, long bytes) {
      long size = 0;
      for (long store : region.storeBytes()) {
        size = overallFiles ? size + store : Math.max(size, store);
      }
      return size > bytes;
    }
  }

  /**
   * A snapshot of an open region, for split policies.
   *
   * @param storeBytes the length of the store files of each family, bytes
   * @param regionsOfTable the number of the table's regions on the server, including this one
   * @param writes the number of mutations since the region was opened
   * @param blockedWrites the number of write requests refused since then because the memstores were
   *     full
   * @param nowMillis the time, milliseconds since 1970
   * @param middle returns the row at which the region would be split; empty if there is none. May
   *     read from storage
   */
  record Candidate(
      List<Long> storeBytes,
      int regionsOfTable,
      long writes,
      long blockedWrites,
      long nowMillis,
      Supplier<Optional<byte[]>> middle) {}

  /**
   * Where a region is split.
   *
   * @param row the row; empty if there is none
   * @param refusal why a policy does not name one, a clause; empty if the region has no middle
   */
  record Point(Optional<byte[]> row, Optional<String> refusal) {
    /** Returns a point without a row. */
    public static Point none(String refusal) {
      return new Point(Optional.empty(), Optional.of(refusal));
    }
  }

  /** Splits a region that is larger than the maximum region size. */
  record ConstantSize(Sizes sizes) implements SplitPolicy {
    @Override
    public boolean shouldSplit(Candidate region) {
      return sizes.exceeds(region, sizes.maxBytes());
    }
  }

  /** Splits no region, not even on request. */
  record Disabled() implements SplitPolicy {
    @Override
    public boolean shouldSplit(Candidate region) {
      return false;
    }
  }

  /**
   * Splits a table's first regions early. The limit is the initial size times the cube of the
   * number of the table's regions on this server, at most the maximum region size.
   */
  record Increasing(Sizes sizes) implements SplitPolicy {
    /** Above this number of regions, the maximum region size applies. */
    private static final int REGIONS_MAX = 100;

    @Override
    public boolean shouldSplit(Candidate region) {
      return sizes.exceeds(region, threshold(region.regionsOfTable()));
    }

    private long threshold(long regions) {
      if (regions == 0 || regions > REGIONS_MAX) {
        return sizes.maxBytes();
      }
      double bytes = (double) sizes.initialBytes() * regions * regions * regions;
      return bytes >= sizes.maxBytes() ? sizes.maxBytes() : (long) bytes;
    }
  }

  /**
   * A user's policy, in a class that the table names. Each call may wait for the class for a
   * limited time.
   */
  non-sealed interface OfUser extends SplitPolicy {
    /** Returns why the region is not split, not even on request, a clause; empty if it may be. */
    Optional<String> refusal(Candidate region);

    /** Returns the row to split at instead of the region's middle, if the region may be split. */
    Point point(Candidate region);
  }

  /**
   * Splits no region, not even on request, because a user's class cannot be used.
   *
   * @param reason a clause
   */
  record Unusable(String reason) implements OfUser {
    @Override
    public boolean shouldSplit(Candidate region) {
      return false;
    }

    @Override
    public Optional<String> refusal(Candidate region) {
      return Optional.of(reason);
    }

    @Override
    public Point point(Candidate region) {
      return Point.none(reason);
    }
  }

  /** Splits as {@link Increasing} does, but keeps rows with a common prefix together. */
  record Prefix(Increasing size, SplitRestriction prefix) implements SplitPolicy {
    @Override
    public boolean shouldSplit(Candidate region) {
      return size.shouldSplit(region);
    }

    @Override
    public byte[] restrict(byte[] row) {
      return prefix.apply(row);
    }
  }

  /**
   * Splits the only region of a table on this server above the initial size, and all others above
   * the maximum region size.
   */
  record Stepping(Sizes sizes) implements SplitPolicy {
    @Override
    public boolean shouldSplit(Candidate region) {
      boolean alone = region.regionsOfTable() == 1;
      return sizes.exceeds(region, alone ? sizes.initialBytes() : sizes.maxBytes());
    }
  }
}
