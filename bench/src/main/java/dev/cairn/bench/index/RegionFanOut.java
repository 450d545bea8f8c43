package dev.cairn.bench.index;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.bench.compare.ServerProcess;
import dev.cairn.engine.scan.IndexHint;
import dev.cairn.server.explain.ExplainOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * Measures a selective query over tables of different numbers of regions, with and without the
 * index: by one scan, which asks one region after another, and by a scan of each region, several at
 * a time.
 */
final class RegionFanOut {
  private static final int ROWS_PER_VALUE = 10;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final int rows;
  private final List<Integer> regions;
  private final int threads;
  private final int turns;
  private final double seconds;

  /**
   * Plans the measurement.
   *
   * @param rows of each table
   * @param regions the numbers of regions
   * @param threads the scans that run at once
   * @param turns the turns of each query
   * @param seconds of a turn
   */
  RegionFanOut(int rows, List<Integer> regions, int threads, int turns, double seconds) {
    this.rows = rows;
    this.regions = List.copyOf(regions);
    this.threads = threads;
    this.turns = turns;
    this.seconds = seconds;
  }

  void run(ServerProcess server, PrintWriter out) throws IOException, InterruptedException {
    out.printf(Locale.ROOT, "%nTables of %,d rows; a value has about %d%n%n", rows, ROWS_PER_VALUE);
    out.println(
        "| regions | client | `cairn.index` | rows | median, ms | server CPU, ms | regions skipped |");
    out.println("| --- | --- | --- | --- | --- | --- | --- |");
    IndexedTable.Column column =
        new IndexedTable.Column("rare", Math.max(1, rows / ROWS_PER_VALUE));
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try (Connection connection = server.connect()) {
      for (int count : regions) {
        IndexedTable table = new IndexedTable(connection, "fan_out_" + count);
        table.create(count, column.name());
        table.load(rows, column);
        measure(server, connection, table, column, pool, out);
        table.drop();
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private void measure(
      ServerProcess server,
      Connection connection,
      IndexedTable table,
      IndexedTable.Column column,
      ExecutorService pool,
      PrintWriter out)
      throws IOException, InterruptedException {
    try (Table open = connection.getTable(table.name());
        RegionLocator locator = connection.getRegionLocator(table.name())) {
      List<HRegionLocation> all = locator.getAllRegionLocations();
      Random random = new Random(3);
      List<IndexHint> hints = List.of(IndexHint.NEVER, IndexHint.AUTO);
      List<QueryTimes> one = new ArrayList<>();
      List<QueryTimes> many = new ArrayList<>();
      for (IndexHint hint : hints) {
        one.add(new QueryTimes(server, () -> QueryGain.count(open, scan(column, random, hint))));
        many.add(
            new QueryTimes(server, () -> parallel(open, all, scan(column, random, hint), pool)));
      }
      for (int turn = 0; turn < turns; turn++) {
        for (int i = 0; i < hints.size(); i++) {
          one.get(i).run(seconds);
          many.get(i).run(seconds);
        }
      }
      String skipped =
          skipped(open, all, scan(column, random, IndexHint.AUTO)) + " of " + all.size();
      for (int i = 0; i < hints.size(); i++) {
        print(all.size(), "one scan", hints.get(i), one.get(i), skipped, out);
      }
      for (int i = 0; i < hints.size(); i++) {
        print(all.size(), threads + " at a time", hints.get(i), many.get(i), skipped, out);
      }
    }
  }

  private static Scan scan(IndexedTable.Column column, Random random, IndexHint hint) {
    return IndexedTable.where(column, random.nextInt(column.values()), hint);
  }

  private static void print(
      int regions,
      String client,
      IndexHint hint,
      QueryTimes times,
      String skipped,
      PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "| %,d | %s | %s | %.1f | %.2f | %.2f | %s |%n",
        regions,
        client,
        hint.name().toLowerCase(Locale.ROOT),
        times.rows(),
        times.median(),
        times.cpuMillis(),
        hint == IndexHint.NEVER ? "" : skipped);
    out.flush();
  }

  /** Scans each region by itself, several at a time. */
  private static long parallel(
      Table table, List<HRegionLocation> regions, Scan scan, ExecutorService pool)
      throws IOException, InterruptedException {
    List<Future<Long>> parts = new ArrayList<>();
    for (HRegionLocation region : regions) {
      Scan part = within(region, scan);
      parts.add(pool.submit(() -> QueryGain.count(table, part)));
    }
    long rows = 0;
    for (Future<Long> part : parts) {
      try {
        rows += part.get();
      } catch (ExecutionException e) {
        throw new IOException("A scan failed: " + e.getCause(), e);
      }
    }
    return rows;
  }

  private static Scan within(HRegionLocation region, Scan scan) throws IOException {
    return new Scan(scan)
        .withStartRow(region.getRegion().getStartKey())
        .withStopRow(region.getRegion().getEndKey());
  }

  /** Returns how many regions the indexes let a scan skip, as explanations tell. */
  private static long skipped(Table table, List<HRegionLocation> regions, Scan scan)
      throws IOException {
    long skipped = 0;
    for (HRegionLocation region : regions) {
      Scan part = within(region, scan);
      part.setAttribute(ExplainOptions.ATTRIBUTE, new ExplainOptions(0, 1).toBytes());
      byte[] last = {};
      try (ResultScanner scanner = table.getScanner(part)) {
        for (Result result = scanner.next(); result != null; result = scanner.next()) {
          last = result.value();
        }
      }
      JsonNode index = JSON.readTree(last).path("index");
      skipped += index.path("skipsRegion").asBoolean() ? 1 : 0;
    }
    return skipped;
  }
}
