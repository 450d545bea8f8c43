package dev.cairn.server.rpc;

/**
 * The shares of the handlers and queues for each kind of ordinary calls. Kinds have their own
 * shares if HBase's keys for them are set; a kind without handlers belongs to the reads.
 *
 * <p>HBase has several queues per kind, and picks one at random for each call. Cairn has one queue
 * with the sum of their lengths and handlers, so a call never waits while a handler of its kind is
 * idle.
 *
 * @param writes the share of writes
 * @param reads the share of reads, except scans if these have their own
 * @param scans the share of scans
 */
public record QueueShares(Share writes, Share reads, Share scans) {
  /** The minimum number of queues and handlers that HBase divides. */
  private static final int DIVIDED_MIN = 2;

  /**
   * A share of the handlers.
   *
   * @param handlers the maximum number of threads; 0 if there is no such share
   * @param queues how many of HBase's queues it has
   */
  public record Share(int handlers, int queues) {
    static final Share NONE = new Share(0, 0);

    /** Tells whether there is no such share. */
    public boolean isNone() {
      return handlers == 0;
    }
  }

  /**
   * Divides {@code handlers} in the proportions of HBase's keys, rounded as in HBase.
   *
   * @param handlers at least 1
   * @param factor the number of queues per handler, 0 to 1
   * @param readRatio the share of reads among all; 0 for one queue of all calls
   * @param scanRatio the share of scans among the reads; 0 or 1 for one queue of all reads
   */
  public static QueueShares of(int handlers, float factor, float readRatio, float scanRatio) {
    int queues = Math.round(handlers * factor);
    if (readRatio <= 0) {
      return undivided(handlers, Math.max(1, queues));
    }
    int threads = Math.max(DIVIDED_MIN, handlers);
    queues = Math.max(DIVIDED_MIN, queues);
    int writeQueues = writers(queues, readRatio);
    int readQueues = queues - writeQueues;
    Share writes = new Share(Math.max(writeQueues, writers(threads, readRatio)), writeQueues);
    int readers = Math.max(readQueues, threads - writers(threads, readRatio));
    int scanners = scanRatio >= 1 ? 0 : (int) Math.floor(readers * scanRatio);
    if (scanners == 0) {
      return new QueueShares(writes, new Share(readers, readQueues), Share.NONE);
    }
    int scanQueues = Math.max(1, (int) Math.floor(readQueues * scanRatio));
    return new QueueShares(
        writes,
        new Share(readers - scanners, Math.max(1, readQueues - scanQueues)),
        new Share(scanners, scanQueues));
  }

  /** Returns one share of all calls. */
  static QueueShares undivided(int handlers, int queues) {
    return new QueueShares(Share.NONE, new Share(handlers, queues), Share.NONE);
  }

  /** Returns the same handlers and queues in one share. */
  public QueueShares joined() {
    return undivided(handlers(), writes.queues + reads.queues + scans.queues);
  }

  /** Returns the maximum number of threads of all shares together. */
  public int handlers() {
    return writes.handlers + reads.handlers + scans.handlers;
  }

  /** Tells whether some kinds have their own shares. */
  boolean isDivided() {
    return !writes.isNone();
  }

  private static int writers(int count, float readRatio) {
    return Math.max(1, count - Math.max(1, Math.round(count * readRatio)));
  }
}
