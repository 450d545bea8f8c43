package dev.cairn.engine.scan;

/**
 * The oldest read that a rewrite of cells has to serve. The rewrite keeps every cell that a read
 * may see at this read point or a later one, and at this time or a later one.
 *
 * @param readPoint a sequence number
 * @param nowMillis a time by which a read says what is expired, milliseconds since 1970
 */
public record ReadHorizon(long readPoint, long nowMillis) {
  /** The horizon of a rewrite that drops nothing: no cell was written or expired by then. */
  public static final ReadHorizon BEGINNING = new ReadHorizon(0, 0);

  /** Returns the horizon of a rewrite that serves both reads. */
  public ReadHorizon and(ReadHorizon other) {
    return new ReadHorizon(
        Math.min(readPoint, other.readPoint), Math.min(nowMillis, other.nowMillis));
  }

  /** Tells whether a rewrite with this horizon serves a read at {@code other}. */
  public boolean serves(ReadHorizon other) {
    return readPoint <= other.readPoint && nowMillis <= other.nowMillis;
  }
}
