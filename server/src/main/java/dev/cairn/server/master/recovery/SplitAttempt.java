package dev.cairn.server.master.recovery;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.walsplit.SplitOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The orders to a region server to split the parts of a job. Owned by the loop. */
final class SplitAttempt {
  private final SplitJob job;
  private final ServerName worker;
  private final long scratch;
  private final long sinceMillis;
  private final Map<Long, SplitOrder> open = new TreeMap<>();
  private long heardNanos;

  /** Read by all threads. */
  private volatile boolean withdrawn;

  /**
   * Creates an attempt.
   *
   * @param scratch the number of the scratch directory
   * @param sinceMillis when the orders were given, milliseconds since 1970
   */
  SplitAttempt(
      SplitJob job, ServerName worker, long scratch, long sinceMillis, List<SplitOrder> orders) {
    this.job = job;
    this.worker = worker;
    this.scratch = scratch;
    this.sinceMillis = sinceMillis;
    orders.forEach(order -> open.put(order.token().order(), order));
  }

  SplitJob job() {
    return job;
  }

  ServerName worker() {
    return worker;
  }

  long scratch() {
    return scratch;
  }

  long sinceMillis() {
    return sinceMillis;
  }

  /** Returns the orders that the server has not reported. */
  List<SplitOrder> open() {
    return new ArrayList<>(open.values());
  }

  /** Records that the server has carried out an order. */
  void done(SplitOrder order) {
    open.remove(order.token().order());
  }

  /** Records when the orders were given, or the server reported, by the clock. */
  void heard(long nanos) {
    heardNanos = nanos;
  }

  long heardNanos() {
    return heardNanos;
  }

  /** Records that the server's reports no longer count. */
  void withdraw() {
    withdrawn = true;
  }

  /** Tells whether the server's reports count. */
  boolean isCurrent() {
    return !withdrawn;
  }
}
