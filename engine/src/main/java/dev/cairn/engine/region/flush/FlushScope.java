package dev.cairn.engine.region.flush;

import dev.cairn.engine.region.state.FlushPolicy;
import java.util.List;

/** The families of a region that a flush takes. The others stay in memory, and in the log. */
public sealed interface FlushScope {
  /** All of them. */
  record All() implements FlushScope {}

  /**
   * The named families, regardless of their size.
   *
   * @param families names; each must be a family of the region
   */
  record Families(List<byte[]> families) implements FlushScope {}

  /** The families that the region's {@link FlushPolicy} selects at this moment. */
  record Due() implements FlushScope {}

  /**
   * The families with writes up to a number that are in no file yet: a flush of them lets the log
   * drop these writes.
   *
   * @param sequence the number
   */
  record UpTo(long sequence) implements FlushScope {}

  /** All of them, because the region closes: no hook of the region's flushes hears of it. */
  record Closing() implements FlushScope {}

  /** Every family. */
  FlushScope ALL = new All();

  /** Every family of a region that closes. */
  FlushScope CLOSING = new Closing();

  /** The families that the policy selects. */
  FlushScope DUE = new Due();
}
