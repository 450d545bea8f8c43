package dev.cairn.bench.index;

import dev.cairn.bench.compare.ServerProcess;
import dev.cairn.engine.scan.IndexHint;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * Measures queries that select 0.01 %, 1 % and 50 % of a table's rows, without an index, with it,
 * and as the server chooses, in turns.
 */
final class QueryGain {
  private static final List<IndexedTable.Column> COLUMNS =
      List.of(
          new IndexedTable.Column("rare", 10_000),
          new IndexedTable.Column("some", 100),
          new IndexedTable.Column("half", 2));

  private final int rows;
  private final int turns;
  private final double seconds;

  /**
   * Plans the measurement.
   *
   * @param turns the turns of each query
   * @param seconds of a turn
   */
  QueryGain(int rows, int turns, double seconds) {
    this.rows = rows;
    this.turns = turns;
    this.seconds = seconds;
  }

  void run(ServerProcess server, PrintWriter out) throws IOException, InterruptedException {
    try (Connection connection = server.connect()) {
      IndexedTable table = new IndexedTable(connection, "gain");
      table.create(1, COLUMNS.stream().map(IndexedTable.Column::name).toArray(String[]::new));
      long start = System.nanoTime();
      table.load(rows, COLUMNS.toArray(IndexedTable.Column[]::new));
      out.printf(
          Locale.ROOT,
          "%nA table of %,d rows, loaded in %.0f s%n%n",
          rows,
          (System.nanoTime() - start) / 1e9);
      out.println(
          "| query | `cairn.index` | rows | first, ms | median, ms | server CPU, ms | times as fast"
              + " as `never` |");
      out.println("| --- | --- | --- | --- | --- | --- | --- |");
      for (IndexedTable.Column column : COLUMNS) {
        measure(server, connection, table, column, out);
      }
      table.drop();
    }
  }

  private void measure(
      ServerProcess server,
      Connection connection,
      IndexedTable table,
      IndexedTable.Column column,
      PrintWriter out)
      throws IOException, InterruptedException {
    try (Table open = connection.getTable(table.name())) {
      Map<IndexHint, QueryTimes> times = new EnumMap<>(IndexHint.class);
      for (IndexHint hint : List.of(IndexHint.NEVER, IndexHint.ALWAYS, IndexHint.AUTO)) {
        Random random = new Random(2);
        times.put(
            hint,
            new QueryTimes(
                server,
                () ->
                    count(
                        open, IndexedTable.where(column, random.nextInt(column.values()), hint))));
      }
      for (int turn = 0; turn < turns; turn++) {
        for (QueryTimes one : times.values()) {
          one.run(seconds);
        }
      }
      double never = times.get(IndexHint.NEVER).median();
      times.forEach(
          (hint, one) ->
              out.printf(
                  Locale.ROOT,
                  "| %s %% | %s | %,.0f | %.1f | %.2f | %.2f | %.2f |%n",
                  100.0 / column.values(),
                  hint.name().toLowerCase(Locale.ROOT),
                  one.rows(),
                  one.first(),
                  one.median(),
                  one.cpuMillis(),
                  never / one.median()));
      out.flush();
    }
  }

  /** Returns the number of rows that a scan finds. */
  static long count(Table table, Scan scan) throws IOException {
    long rows = 0;
    try (ResultScanner scanner = table.getScanner(scan)) {
      while (scanner.next() != null) {
        rows++;
      }
    }
    return rows;
  }
}
