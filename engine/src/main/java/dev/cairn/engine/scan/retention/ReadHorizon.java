package dev.cairn.engine.scan.retention;

/**
 * The oldest read that a flush or compaction must serve. The rewrite keeps every cell that is
 * visible to some read at this read point or later, and at this time or later.
 *
 * @param readPoint a sequence number
 * @param nowMillis the time at which a read decides which cells are expired, milliseconds since
 *     1970
 */
public record ReadHorizon(long readPoint, long nowMillis) {
  /**
   * The horizon of a rewrite that drops nothing: it is earlier than every cell and every expiry.
   */
  public static final ReadHorizon BEGINNING = new ReadHorizon(0, 0);

  /** Returns the horizon of a rewrite that serves the reads at both horizons. */
  public ReadHorizon and(ReadHorizon other) {
    return new ReadHorizon(
        Math.min(readPoint, other.readPoint), Math.min(nowMillis, other.nowMillis));
  }

  /** Tells whether a rewrite with this horizon serves a read at {@code other}. */
  public boolean serves(ReadHorizon other) {
    return readPoint <= other.readPoint && nowMillis <= other.nowMillis;
  }
}
