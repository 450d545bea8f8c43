package dev.cairn.tools.top;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The latest traffic of all region servers. All rates are per second.
 *
 * @param atMillis when it was read, milliseconds since 1970
 * @param servers sorted by name
 * @param problems a sentence for each server that does not answer
 */
public record ClusterTraffic(
    long atMillis,
    List<Row> servers,
    List<Row> tables,
    List<Row> regions,
    List<Count> rows,
    List<Count> prefixes,
    List<Count> callers,
    List<String> problems) {
  /** The orders of rows. */
  public enum Sort {
    /** Reads and writes together. */
    REQUESTS('a', one -> one.reads() + one.writes()),
    READS('r', Row::reads),
    WRITES('w', Row::writes),
    BYTES('b', Row::bytes),
    TIME('t', Row::nanos),
    ERRORS('e', Row::errors);

    private final char key;
    private final ToDoubleFunction<Row> value;

    Sort(char key, ToDoubleFunction<Row> value) {
      this.key = key;
      this.value = value;
    }

    /** Returns the key that selects it. */
    public char key() {
      return key;
    }

    /** Returns the rows in this order, the largest first; equal ones by name. */
    public List<Row> sorted(List<Row> rows) {
      List<Row> sorted = new ArrayList<>(rows);
      sorted.sort(Comparator.comparingDouble(value).reversed().thenComparing(Row::name));
      return sorted;
    }
  }

  /**
   * Rates of a server, table or region.
   *
   * @param name its name
   * @param place where it is: a region's server and start key; empty for others
   * @param nanos processor time
   */
  public record Row(
      String name,
      String place,
      double reads,
      double writes,
      double rows,
      double bytes,
      double nanos,
      double errors) {
    private Row plus(Row other) {
      return new Row(
          name,
          place,
          reads + other.reads,
          writes + other.writes,
          rows + other.rows,
          bytes + other.bytes,
          nanos + other.nanos,
          errors + other.errors);
    }
  }

  /**
   * The rate of a row, prefix or caller.
   *
   * @param name the key, or the user and host
   * @param place the table of a key; the server of a caller, if it calls one
   * @param parts the key's parts by the table's format; empty if it has none, and for callers
   * @param perSecond requests
   * @param error how much too large it can be
   */
  public record Count(String name, String place, String parts, double perSecond, double error) {
    private Count plus(Count other) {
      return new Count(
          name,
          place.equals(other.place) ? place : "",
          parts,
          perSecond + other.perSecond,
          error + other.error);
    }
  }

  /** Returns the sums of rows with the same name. */
  static List<Row> sums(List<Row> rows) {
    Map<String, Row> sums = new LinkedHashMap<>();
    rows.forEach(row -> sums.merge(row.name(), row, Row::plus));
    return List.copyOf(sums.values());
  }

  /** Returns the sums of counts with the same name and place, the largest first. */
  static List<Count> sums(List<Count> counts, boolean byPlace) {
    Map<String, Count> sums = new LinkedHashMap<>();
    counts.forEach(
        one ->
            sums.merge(byPlace ? one.name() + "\0" + one.place() : one.name(), one, Count::plus));
    return sums.values().stream()
        .sorted(Comparator.comparingDouble(Count::perSecond).reversed())
        .toList();
  }
}
