package dev.cairn.server.traffic.heatmap;

import dev.cairn.server.traffic.heatmap.HeatFile.RegionSpan;
import dev.cairn.server.traffic.heatmap.HeatFile.TableHeat;
import dev.cairn.server.traffic.heatmap.RegionEvent.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * One metric of a table by time and key, of all servers together.
 *
 * @param fromMillis when the first column begins, milliseconds since 1970
 * @param stepMillis the length of a column; coarse steps are spread over several columns if they
 *     are longer
 * @param keys the first row of each bucket; the first one is empty or the query's first row
 * @param values by column and bucket, sums over the column's time
 * @param borders the first rows of the present regions, in order
 * @param events in the order of time
 */
public record HeatMap(
    TrafficMetric metric,
    long fromMillis,
    long stepMillis,
    List<byte[]> keys,
    double[][] values,
    List<byte[]> borders,
    List<RegionEvent> events) {
  /**
   * A query for a heat map.
   *
   * @param table the table's name
   * @param fromMillis the start of the time, milliseconds since 1970
   * @param toMillis the end of the time; later than {@code fromMillis}
   * @param low the first row; empty for the table's first
   * @param high the row after the last; empty for the table's end
   * @param buckets the number of buckets at most, at least 4
   * @param columns the number of columns at most, at least 1
   */
  public record Query(
      String table,
      TrafficMetric metric,
      long fromMillis,
      long toMillis,
      byte[] low,
      byte[] high,
      int buckets,
      int columns) {
    /** Checks the numbers. */
    public Query {
      if (fromMillis < 0 || toMillis <= fromMillis || buckets < 4 || columns < 1) {
        throw new IllegalArgumentException(
            "No heat map from "
                + fromMillis
                + " to "
                + toMillis
                + " with "
                + buckets
                + " buckets and "
                + columns
                + " columns");
      }
    }

    private boolean wants(KeyRange range) {
      return Arrays.compareUnsigned(range.end(), low) > 0
          && (high.length == 0 || Arrays.compareUnsigned(range.low(), high) < 0);
    }

    private boolean wants(byte[] row) {
      return Arrays.compareUnsigned(row, low) >= 0
          && (high.length == 0 || Arrays.compareUnsigned(row, high) < 0);
    }
  }

  /** Returns the heat map of a query from the recordings of servers. */
  public static HeatMap of(Query query, Collection<HeatFile> recordings) {
    List<TableHeat> tables =
        recordings.stream()
            .map(file -> file.tables().getOrDefault(query.table(), TableHeat.EMPTY))
            .toList();
    List<HeatStep> steps = new ArrayList<>();
    for (TableHeat table : tables) {
      for (HeatStep step : table.steps()) {
        if (step.endMillis() > query.fromMillis() && step.startMillis() < query.toMillis()) {
          steps.add(step);
        }
      }
    }
    List<byte[]> borders = borders(query, tables);
    KeyAxis axis = axis(query, steps, borders);
    long from = query.fromMillis() - query.fromMillis() % HeatStep.FINE_MILLIS;
    long step = stepMillis(query, from);
    int columns = (int) ((query.toMillis() - from + step - 1) / step);
    double[][] values = new double[columns][axis.size()];
    for (HeatStep one : steps) {
      add(one, query, axis, from, step, values);
    }
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < axis.size(); i++) {
      keys.add(axis.start(i));
    }
    return clipped(
        query,
        new HeatMap(query.metric(), from, step, keys, values, borders, events(query, tables)));
  }

  private static KeyAxis axis(Query query, List<HeatStep> steps, List<byte[]> borders) {
    KeyAxis.Learner learner = new KeyAxis.Learner();
    for (HeatStep step : steps) {
      for (KeyRange range : step.ranges()) {
        if (query.wants(range)) {
          learner.add(range, range.value(query.metric()));
        }
      }
    }
    List<byte[]> wanted = new ArrayList<>(borders);
    if (query.low().length > 0) {
      wanted.add(query.low());
    }
    if (query.high().length > 0) {
      wanted.add(query.high());
    }
    return learner.learn(wanted, query.buckets());
  }

  /** Returns the shortest multiple of a minute that needs no more columns than the query's. */
  private static long stepMillis(Query query, long from) {
    long minutes = (query.toMillis() - from + HeatStep.FINE_MILLIS - 1) / HeatStep.FINE_MILLIS;
    return HeatStep.FINE_MILLIS * ((minutes + query.columns() - 1) / query.columns());
  }

  /** Adds a step to its columns; divides it among several ones by time. */
  private static void add(
      HeatStep one, Query query, KeyAxis axis, long from, long step, double[][] values) {
    double[] sums = new double[axis.size()];
    for (KeyRange range : one.ranges()) {
      if (query.wants(range)) {
        axis.spread(range, query.metric(), sums);
      }
    }
    long first = Math.max(0, (one.startMillis() - from) / step);
    long last = Math.min(values.length - 1, (one.endMillis() - 1 - from) / step);
    for (long column = first; column <= last; column++) {
      long begin = Math.max(one.startMillis(), from + column * step);
      long end = Math.min(one.endMillis(), from + (column + 1) * step);
      double part = (end - begin) / (double) one.millis();
      for (int i = 0; i < sums.length; i++) {
        values[(int) column][i] += sums[i] * part;
      }
    }
  }

  private static List<byte[]> borders(Query query, List<TableHeat> tables) {
    TreeSet<byte[]> borders = new TreeSet<>(Arrays::compareUnsigned);
    for (TableHeat table : tables) {
      for (RegionSpan region : table.regions()) {
        if (region.start().length > 0 && query.wants(region.start())) {
          borders.add(region.start());
        }
      }
    }
    return List.copyOf(borders);
  }

  private static List<RegionEvent> events(Query query, List<TableHeat> tables) {
    return tables.stream()
        .flatMap(table -> table.events().stream())
        .filter(
            event -> event.atMillis() >= query.fromMillis() && event.atMillis() < query.toMillis())
        .sorted(Comparator.comparingLong(RegionEvent::atMillis))
        .toList();
  }

  /** Drops the buckets outside the query's rows. */
  private static HeatMap clipped(Query query, HeatMap map) {
    int first = 0;
    int end = map.keys().size();
    while (first + 1 < end && Arrays.compareUnsigned(map.keys().get(first + 1), query.low()) <= 0) {
      first++;
    }
    while (end - 1 > first
        && query.high().length > 0
        && Arrays.compareUnsigned(map.keys().get(end - 1), query.high()) >= 0) {
      end--;
    }
    double[][] values = new double[map.values().length][];
    for (int i = 0; i < values.length; i++) {
      values[i] = Arrays.copyOfRange(map.values()[i], first, end);
    }
    return new HeatMap(
        map.metric(),
        map.fromMillis(),
        map.stepMillis(),
        List.copyOf(map.keys().subList(first, end)),
        values,
        map.borders(),
        map.events());
  }

  /**
   * Tells whether an event made a border at the first row of its region. A split makes the border
   * at the first row of the upper daughter.
   */
  public boolean isNewBorder(RegionEvent event) {
    return event.kind() == Kind.SPLIT
        && event.start().length > 0
        && events.stream()
            .filter(other -> other.kind() == Kind.SPLIT)
            .filter(other -> Arrays.equals(other.end(), event.start()))
            .anyMatch(
                other ->
                    Math.abs(other.atMillis() - event.atMillis())
                        <= RegionChanges.REMEMBERED_MILLIS);
  }

  /** Returns the sum of all values. */
  public double total() {
    return Arrays.stream(values).flatMapToDouble(Arrays::stream).sum();
  }

  /** Returns the largest value. */
  public double max() {
    return Arrays.stream(values).flatMapToDouble(Arrays::stream).max().orElse(0);
  }
}
