package dev.cairn.interop.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;

/** Increments counters that several threads share. */
final class SharedCounters extends Writer {
  private static final int COUNTERS = 4;
  private static final String COLUMN = "n:shared";

  /** What all threads of one run know about the counters. Thread-safe. */
  static final class Sums {
    private final AtomicLongArray attempted = new AtomicLongArray(COUNTERS);
    private final AtomicLongArray acknowledged = new AtomicLongArray(COUNTERS);

    /** Compares with the table, and goes on from what that holds. */
    private List<String> compare(Map<String, SortedMap<String, String>> found) {
      List<String> wrong = new ArrayList<>();
      for (int i = 0; i < COUNTERS; i++) {
        SortedMap<String, String> row = found.getOrDefault(row(i), new TreeMap<>());
        long value = Long.parseLong(row.getOrDefault(COLUMN, "0"));
        if (value < acknowledged.get(i) || value > attempted.get(i)) {
          wrong.add(
              "counter %d is %d; acknowledged %d, attempted %d"
                  .formatted(i, value, acknowledged.get(i), attempted.get(i)));
        }
        acknowledged.set(i, value);
        attempted.set(i, value);
        found.remove(row(i));
      }
      return wrong;
    }
  }

  private final Sums sums;
  private final boolean compares;

  /**
   * Creates one thread's writer.
   *
   * @param compares whether this is the one among those with {@code sums} that compares
   */
  SharedCounters(Sums sums, boolean compares, SplittableRandom random) {
    super("counting", random);
    this.sums = sums;
    this.compares = compares;
  }

  @Override
  void step(Connection connection, Table table) throws IOException {
    int counter = random.nextInt(COUNTERS);
    long amount = random.nextInt(1, 10);
    sums.attempted.addAndGet(counter, amount);
    table.incrementColumnValue(bytes(row(counter)), family(COLUMN), qualifier(COLUMN), amount);
    sums.acknowledged.addAndGet(counter, amount);
  }

  @Override
  List<String> compare(Map<String, SortedMap<String, String>> found) {
    return compares ? sums.compare(found) : List.of();
  }

  private static String row(int counter) {
    return "%x-counter".formatted(counter * 4 + 1);
  }
}
