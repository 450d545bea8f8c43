package dev.cairn.tools.inspect;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The frequencies of numbers. Exact, whereas HBase's tool draws a sample of 1,028: memory is used
 * per distinct number.
 */
final class Distribution {
  /** The borders of HBase's tool. */
  private static final long[] RANGES = {
    1,
    3,
    10,
    50,
    100,
    500,
    1000,
    5000,
    10_000,
    50_000,
    100_000,
    500_000,
    750_000,
    1_000_000,
    5_000_000,
    10_000_000,
    50_000_000,
    100_000_000,
    Long.MAX_VALUE
  };

  private final String name;
  private final TreeMap<Long, Long> counts = new TreeMap<>();
  private long count;
  private double sum;

  Distribution(String name) {
    this.name = name;
  }

  void add(long value) {
    counts.merge(value, 1L, Long::sum);
    count++;
    sum += value;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /**
   * Prints the figures of HBase's tool.
   *
   * @param ranges whether the counts of ranges are printed, too
   */
  void print(PrintWriter out, boolean ranges) {
    out.println("   " + name + ":");
    line(out, "min = %d", counts.firstKey());
    line(out, "max = %d", counts.lastKey());
    line(out, "mean = %2.2f", sum / count);
    line(out, "stddev = %2.2f", standardDeviation());
    line(out, "median = %2.2f", quantile(0.5));
    line(out, "75%% <= %2.2f", quantile(0.75));
    line(out, "95%% <= %2.2f", quantile(0.95));
    line(out, "98%% <= %2.2f", quantile(0.98));
    line(out, "99%% <= %2.2f", quantile(0.99));
    line(out, "99.9%% <= %2.2f", quantile(0.999));
    line(out, "count = %d", count);
    if (ranges) {
      printRanges(out);
    }
  }

  /** All counts that are not zero, and the last zero before them. */
  private void printRanges(PrintWriter out) {
    out.println("           (range <= count):");
    long below = Long.MIN_VALUE;
    boolean begun = false;
    for (int i = 0; i < RANGES.length; i++) {
      long inRange = between(below, RANGES[i]);
      boolean lastZero = !begun && i + 1 < RANGES.length && between(RANGES[i], RANGES[i + 1]) > 0;
      if (inRange > 0 || lastZero) {
        begun = true;
        String border = RANGES[i] == Long.MAX_VALUE ? "inf" : Long.toString(RANGES[i]);
        out.println(String.format(Locale.ROOT, "%17s <= %d", border, inRange));
      }
      below = RANGES[i];
    }
  }

  /** Returns how many numbers lie above {@code below} and not above {@code top}. */
  private long between(long below, long top) {
    return counts.subMap(below, false, top, true).values().stream().mapToLong(n -> n).sum();
  }

  private double standardDeviation() {
    if (count < 2) {
      return 0;
    }
    double mean = sum / count;
    double squares = 0;
    for (Map.Entry<Long, Long> entry : counts.entrySet()) {
      squares += entry.getValue() * (entry.getKey() - mean) * (entry.getKey() - mean);
    }
    return Math.sqrt(squares / (count - 1));
  }

  /** Returns a quantile, between two numbers where it falls between them. */
  private double quantile(double share) {
    double position = share * (count + 1);
    long index = (long) position;
    if (index < 1) {
      return counts.firstKey();
    }
    if (index >= count) {
      return counts.lastKey();
    }
    double lower = at(index - 1);
    return lower + (position - Math.floor(position)) * (at(index) - lower);
  }

  private long at(long index) {
    long passed = 0;
    for (Map.Entry<Long, Long> entry : counts.entrySet()) {
      passed += entry.getValue();
      if (passed > index) {
        return entry.getKey();
      }
    }
    return counts.lastKey();
  }

  private static void line(PrintWriter out, String format, Object value) {
    boolean border = format.contains("<");
    int labelEnd = format.indexOf(border ? " <" : " =");
    String label = format.substring(0, labelEnd).replace("%%", "%");
    out.println(
        " ".repeat((border ? 17 : 18) - label.length())
            + label
            + String.format(Locale.ROOT, format.substring(labelEnd), value));
  }
}
