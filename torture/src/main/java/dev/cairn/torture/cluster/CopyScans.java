package dev.cairn.torture.cluster;

import dev.cairn.engine.scan.IndexHint;
import dev.cairn.engine.schema.TableName;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Scans a table to which nobody writes for ranges of numbers, with each hint on the use of indexes:
 * the table has the indexes of the table that it was copied from. For one thread.
 */
final class CopyScans {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long PAUSE_MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final ClusterClient client;
  private final ClusterParts parts;
  private final RandomGenerator random;

  CopyScans(ClusterClient client, ClusterParts parts, RandomGenerator random) {
    this.client = client;
    this.parts = parts;
    this.random = random;
  }

  /**
   * Compares the answers with the content.
   *
   * @param content known rows; the table may have others
   * @throws IOException if a scan did not end in time
   */
  void check(TableName table, Map<String, OptionalLong> content) throws IOException {
    List<Long> numbers =
        content.values().stream()
            .filter(OptionalLong::isPresent)
            .map(OptionalLong::getAsLong)
            .toList();
    if (numbers.isEmpty()) {
      return;
    }
    long from = Math.max(1, numbers.get(random.nextInt(numbers.size())));
    long to = random.nextInt(3) == 0 ? Long.MAX_VALUE : from + random.nextInt(3);
    Map<String, Long> expected = new TreeMap<>();
    content.forEach(
        (row, number) -> {
          if (number.isPresent() && number.getAsLong() >= from && number.getAsLong() <= to) {
            expected.put(row, number.getAsLong());
          }
        });
    for (IndexHint hint : IndexHint.values()) {
      Map<String, Long> found = new TreeMap<>();
      ScanCalls.Numbers wanted = new ScanCalls.Numbers(from, to, false, hint);
      new ScanCalls(client, table)
          .scan(
              "",
              "",
              new ScanCalls.Paging(
                  1 + random.nextInt(50), 0, false, random.nextLong(1, PAUSE_MAX_NANOS), 0),
              wanted,
              PATIENCE,
              found::put);
      found.keySet().retainAll(content.keySet());
      if (!found.equals(expected)) {
        parts
            .failures()
            .add(
                "%s: a scan for %s found %s, but the table has %s"
                    .formatted(table, wanted, found, expected));
      }
    }
  }
}
