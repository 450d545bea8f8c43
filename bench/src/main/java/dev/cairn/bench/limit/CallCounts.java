package dev.cairn.bench.limit;

import java.util.concurrent.atomic.LongAdder;

/** Counts the calls that a server has answered. Thread-safe. */
final class CallCounts {
  private final LongAdder calls = new LongAdder();
  private final LongAdder rows = new LongAdder();
  private final LongAdder mutations = new LongAdder();

  /**
   * The counts so far.
   *
   * @param calls answered, without those about the catalog
   * @param rows sent by gets and scans
   * @param mutations acknowledged
   */
  record Snapshot(long calls, long rows, long mutations) {}

  void call() {
    calls.increment();
  }

  void rows(long count) {
    rows.add(count);
  }

  void mutations(long count) {
    mutations.add(count);
  }

  Snapshot snapshot() {
    return new Snapshot(calls.sum(), rows.sum(), mutations.sum());
  }
}
