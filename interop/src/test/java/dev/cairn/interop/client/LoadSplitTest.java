package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.waiting.Eventually;
import dev.cairn.testing.CairnExtension;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A load of Apache's client on one region splits it where the load halves, except if one row has
 * it. The thresholds are low, so that slow machines reach them.
 */
class LoadSplitTest {
  private static final byte[] F = toBytes("f");
  private static final int ROWS = 1_000;
  private static final int CLIENTS = 4;
  private static final long PAUSE_MILLIS = 4;

  @RegisterExtension
  static final CairnExtension CAIRN =
      new CairnExtension(CairnServer.builder().setting("hbase.master.info.port", "0"));

  private final long seed = Long.getLong("cairn.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  /**
   * Reads and writes rows with several threads until it is closed. Each thread pauses after a row,
   * so that the load is about ten times the threshold and leaves processors to other tests.
   */
  private static final class Load implements AutoCloseable {
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(CLIENTS);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    Load(TableName name, IntSupplier rows) {
      for (int i = 0; i < CLIENTS; i++) {
        threads.scheduleWithFixedDelay(
            () -> use(name, rows), 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
      }
    }

    private void use(TableName name, IntSupplier rows) {
      try (Table table = CAIRN.connection().getTable(name)) {
        byte[] row = row(rows.getAsInt());
        table.put(new Put(row).addColumn(F, F, row));
        assertThat(table.get(new Get(row)).getRow()).isEqualTo(row);
      } catch (Throwable e) {
        failure.compareAndSet(null, e);
      }
    }

    /** Ends the load; fails if a client met an error. */
    @Override
    public void close() throws InterruptedException {
      threads.shutdown();
      assertThat(threads.awaitTermination(2, TimeUnit.MINUTES)).as("the clients end").isTrue();
      assertThat(failure.get()).as("an error of a client").isNull();
    }
  }

  private static byte[] row(int number) {
    return toBytes(String.format("row%06d", number));
  }

  private static TableName table(String name) throws IOException {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .setValue("cairn.loadsplit.requests", "100")
            .setValue("cairn.loadsplit.bytes", "0")
            .setValue("cairn.loadsplit.cpu", "0")
            .setValue("cairn.loadsplit.period", "2000")
            .build();
    CAIRN.admin().createTable(table);
    return table.getTableName();
  }

  /** Returns the requests of each region of a table since it was opened. */
  private static List<Long> requests(TableName table) throws IOException {
    ServerName host = CAIRN.admin().getRegionServers().iterator().next();
    return CAIRN.admin().getRegionMetrics(host, table).stream()
        .map(RegionMetrics::getRequestCount)
        .toList();
  }

  private static int border(TableName table) throws IOException {
    List<RegionInfo> regions = CAIRN.admin().getRegions(table);
    return Integer.parseInt(Bytes.toString(regions.get(1).getStartKey()).substring(3));
  }

  private static void awaitSplitAndSpread(TableName table) {
    Eventually.holds(() -> CAIRN.admin().getRegions(table).size() > 1, "a split of " + table);
    Eventually.holds(
        () -> requests(table).stream().filter(count -> count > 50).count() > 1,
        "requests to the daughters of " + table);
  }

  @Test
  void aZipfianLoadIsSplitWhereItHalves() throws Exception {
    System.out.println("seed " + seed);
    double[] sums = zipfianSums();
    int[] places = random.ints(0, ROWS).distinct().limit(ROWS).toArray();
    SplittableRandom draws = random.split();
    TableName table = table("zipfian");
    int border;
    try (Load load =
        new Load(
            table,
            () -> {
              double draw;
              synchronized (draws) {
                draw = draws.nextDouble() * sums[ROWS - 1];
              }
              int rank = Arrays.binarySearch(sums, draw);
              return places[Math.min(ROWS - 1, rank < 0 ? -rank - 1 : rank)];
            })) {
      Eventually.holds(() -> CAIRN.admin().getRegions(table).size() > 1, "a split");
      border = border(table);
      awaitSplitAndSpread(table);
    }
    double below = 0;
    for (int rank = 0; rank < ROWS; rank++) {
      double share = sums[rank] - (rank == 0 ? 0 : sums[rank - 1]);
      below += places[rank] < border ? share : 0;
    }
    // The most popular row has an eighth of the load.
    assertThat(below / sums[ROWS - 1]).as("seed %d", seed).isBetween(0.3, 0.7);
  }

  private static double[] zipfianSums() {
    double[] sums = new double[ROWS];
    double sum = 0;
    for (int i = 0; i < ROWS; i++) {
      sum += Math.pow(i + 1, -0.99);
      sums[i] = sum;
    }
    return sums;
  }

  @Test
  void aSequentialLoadOverAllRowsIsSpread() throws Exception {
    AtomicInteger next = new AtomicInteger();
    TableName table = table("sequential");
    try (Load load = new Load(table, () -> next.getAndIncrement() % 100)) {
      awaitSplitAndSpread(table);
    }
  }

  @Test
  void aHotRowIsReportedAndNotSplit() throws Exception {
    TableName table = table("hot");
    try (Load load = new Load(table, () -> 7)) {
      Eventually.holds(() -> health().contains("The row <row000007> has 100 % of"), "a warning");
      assertThat(statusPage()).contains("row000007");
    }
    assertThat(CAIRN.admin().getRegions(table)).hasSize(1);
    Eventually.holds(() -> !health().contains("row000007"), "an end of the warning");
  }

  @Test
  void aTableCanForbidIt() throws Exception {
    TableName table = table("forbidden");
    CAIRN
        .admin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(CAIRN.admin().getDescriptor(table))
                .setSplitEnabled(false)
                .build());
    TableName other = table("allowed");
    AtomicInteger next = new AtomicInteger();
    IntSupplier rows = () -> next.getAndIncrement() % 100;
    try (Load forbidden = new Load(table, rows);
        Load allowed = new Load(other, rows)) {
      awaitSplitAndSpread(other);
    }
    assertThat(CAIRN.admin().getRegions(table)).hasSize(1);
  }

  private static String health() throws Exception {
    return page("/health");
  }

  private static String statusPage() throws Exception {
    return page("/");
  }

  private static String page(String path) throws Exception {
    InetSocketAddress web = CAIRN.server().endpoints().web().orElseThrow();
    URI address = URI.create("http://127.0.0.1:" + web.getPort() + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
        .body();
  }
}
