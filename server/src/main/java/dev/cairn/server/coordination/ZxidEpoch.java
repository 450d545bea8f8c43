package dev.cairn.server.coordination;

/**
 * The numbers of transactions (zxids) that a server knows: those in its folder at a start, and
 * those that it gives out from then on.
 *
 * <p>A client remembers the highest zxid that it has seen. ZooKeeper closes the connection of a
 * client that has seen more than the server, again and again, until the server has counted that
 * far. A server whose folder was emptied or restored would therefore lock out every client that
 * lived before. So each start begins a new epoch, as each leader of a quorum does: the upper half
 * of a zxid is the epoch, and the lower half counts. An epoch is at least the one that the clock
 * gives, and above all epochs in the folder and in folders that were set aside. A zxid between the
 * last one in the folder and the first one of this start belongs to a history that the folder
 * lacks.
 *
 * <p>If an older copy of the folder is restored, and two starts follow within a session's timeout,
 * a client that reconnects only to the second one is not recognized. It keeps its session, with
 * watches on data that has gone back, until it is started again.
 *
 * @param restored the last zxid in the folder; 0 if it was empty
 * @param first the zxid at which this start begins; the first transaction has the next one
 */
record ZxidEpoch(long restored, long first) {
  private static final int EPOCH_SHIFT = 32;

  /** One epoch for every 4,096 ms. Starts that follow each other faster run ahead of the clock. */
  private static final int CLOCK_SHIFT = 12;

  /** In the year 2109. A clock beyond it is wrong, and would use up the numbers. */
  private static final long MILLIS_MAX = 1L << 42;

  private static final long EPOCH_MAX = Integer.MAX_VALUE;

  /**
   * Returns the epoch of a start.
   *
   * @param restored the last zxid in the folder
   * @param named the highest zxid in the name of any file, also of folders that were set aside
   * @param nowMillis the time; it may be wrong
   */
  static ZxidEpoch begin(long restored, long named, long nowMillis) {
    long clock = nowMillis > 0 && nowMillis < MILLIS_MAX ? nowMillis >> CLOCK_SHIFT : 0;
    long known = Math.max(restored, named) >> EPOCH_SHIFT;
    long epoch = Math.max(clock, known + 1);
    return new ZxidEpoch(restored, epoch > EPOCH_MAX ? restored : epoch << EPOCH_SHIFT);
  }

  /**
   * Tells whether a client that has seen {@code zxid} has seen nothing but this server's history.
   * Only the last start is compared: what an earlier one has skipped is taken for known, because
   * the folder does not tell where each start began.
   *
   * @param last the last zxid of the server
   */
  boolean knows(long zxid, long last) {
    return zxid <= restored || zxid >= first && zxid <= last;
  }
}
