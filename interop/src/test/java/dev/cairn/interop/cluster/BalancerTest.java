package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.cluster.NodeKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.BalanceResponse;
import org.apache.hadoop.hbase.client.BalancerDecision;
import org.apache.hadoop.hbase.client.BalancerRejection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.LogEntry;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ServerType;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The balancer of a cluster of several region servers, as Apache's client sees it. */
@Tag("long")
class BalancerTest {
  /** The time between two lines of the measurement; not a limit. */
  private static final Duration HALF_MINUTE = Duration.ofSeconds(30);

  private static final TableName TABLE = TableName.valueOf("spread");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int ROWS = 20_000;

  @TempDir private Path folder;

  private static Map<String, String> settings(String... more) {
    Map<String, String> settings =
        new HashMap<>(
            Map.of(
                "hbase.master.balancer.decision.buffer.enabled",
                "true",
                "hbase.master.balancer.rejection.buffer.enabled",
                "true"));
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return settings;
  }

  private static byte[] row(long number) {
    return Bytes.toBytes(String.format(Locale.ROOT, "%08d", number));
  }

  private static void createTable(Admin admin, int regions) throws IOException {
    byte[][] splits = new byte[regions - 1][];
    for (int i = 1; i < regions; i++) {
      splits[i - 1] = row((long) ROWS * i / regions);
    }
    admin.createTable(
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build(),
        splits);
  }

  private static List<LogEntry> entries(Admin admin, String log, int limit) throws IOException {
    return admin.getLogEntries(Set.of(), log, ServerType.MASTER, limit, Map.of());
  }

  private static int[] regions(Admin admin) throws IOException {
    return admin.getClusterMetrics().getLiveServerMetrics().values().stream()
        .mapToInt(server -> server.getRegionMetrics().size())
        .sorted()
        .toArray();
  }

  @Test
  @Timeout(600)
  void anAdministratorBalancesAndReadsWhy() throws Exception {
    try (ClusterProcesses cluster =
            ClusterProcesses.onLocalFolder(folder, 1, 3, settings("hbase.balancer.period", "0"));
        Connection connection = ConnectionFactory.createConnection(cluster.client());
        Admin admin = connection.getAdmin()) {
      createTable(admin, 12);
      assertThat(entries(admin, "BALANCER_DECISION", 10)).isEmpty();
      var to = admin.getRegionServers().iterator().next();
      for (var region : admin.getRegions(TABLE)) {
        admin.move(region.getEncodedNameAsBytes(), to);
      }
      cluster.await("one server has the whole table", () -> regions(admin)[2] >= 12);

      assertThat(admin.balancerSwitch(false, true)).isTrue();
      assertThat(admin.isBalancerEnabled()).isFalse();
      assertThat(admin.balance()).isFalse();
      assertThat(admin.balancerSwitch(true, true)).isFalse();

      BalanceResponse dry = admin.balance(BalanceRequest.newBuilder().setDryRun(true).build());
      assertThat(dry.isBalancerRan()).isTrue();
      assertThat(dry.getMovesExecuted()).isZero(); // and so is what the client calls calculated
      assertThat(plannedMoves(admin)).isBetween(7, 9);
      assertThat(regions(admin)[2]).as("regions after a dry run").isGreaterThanOrEqualTo(12);

      BalanceResponse ran =
          admin.balance(BalanceRequest.newBuilder().setIgnoreRegionsInTransition(true).build());
      assertThat(ran.getMovesExecuted()).isBetween(7, 9);
      cluster.await(
          "the regions are spread",
          () -> regions(admin)[2] - regions(admin)[0] <= 1 && admin.balance());

      List<LogEntry> decisions = entries(admin, "BALANCER_DECISION", 10);
      assertThat(decisions).isNotEmpty();
      BalancerDecision decision = (BalancerDecision) decisions.get(decisions.size() - 1);
      assertThat(decision.getComputedTotalCost()).isLessThan(decision.getInitTotalCost());
      assertThat(decision.getRegionPlans().get(0)).contains("the balancer moved it");
      List<LogEntry> rejections = entries(admin, "BALANCER_REJECTION", 1);
      assertThat(rejections).hasSize(1);
      assertThat(((BalancerRejection) rejections.get(0)).getReason())
          .contains("No further move gains enough");
    }
  }

  /**
   * Prints for each kind of load how the processor time of four servers compares with their mean,
   * the moves per minute, and the latencies of requests.
   */
  @Test
  @Timeout(1_800)
  void hotSpotsAreSpread() throws Exception {
    int minutes = Integer.getInteger("cairn.balance.minutes", 3);
    try (ClusterProcesses cluster = ClusterProcesses.onLocalFolder(folder, 1, 4, settings());
        Connection connection = ConnectionFactory.createConnection(cluster.client());
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE)) {
      createTable(admin, 32);
      List<Put> puts = new ArrayList<>();
      for (long i = 0; i < ROWS; i++) {
        puts.add(new Put(row(i)).addColumn(FAMILY, FAMILY, new byte[500]));
      }
      table.put(puts);
      long begun = System.nanoTime();
      Random random = new Random(1);
      double[] zipfian = new double[ROWS];
      double sum = 0;
      for (int i = 0; i < ROWS; i++) {
        sum += Math.pow(i + 1.0, -0.99);
        zipfian[i] = sum;
      }
      double all = sum;
      run(
          "zipfian",
          minutes,
          cluster,
          admin,
          connection,
          number -> {
            int at = Arrays.binarySearch(zipfian, random.nextDouble() * all);
            return new Get(row(at < 0 ? -at - 1 : at));
          });
      run(
          "moving",
          minutes,
          cluster,
          admin,
          connection,
          number -> {
            long place = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun) * 20;
            return new Get(row((place + random.nextInt(ROWS / 4)) % ROWS));
          });
      AtomicLong next = new AtomicLong(ROWS);
      run(
          "sequential",
          minutes,
          cluster,
          admin,
          connection,
          number -> new Put(row(next.getAndIncrement())).addColumn(FAMILY, FAMILY, new byte[500]));
    }
  }

  private static void run(
      String name,
      int minutes,
      ClusterProcesses cluster,
      Admin admin,
      Connection connection,
      LongFunction<Object> requests)
      throws Exception {
    AtomicBoolean ends = new AtomicBoolean();
    CountDownLatch failed = new CountDownLatch(1);
    AtomicReference<List<Long>> latencies = new AtomicReference<>(new ArrayList<>());
    ExecutorService threads = Executors.newFixedThreadPool(16);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      running.add(
          threads.submit(
              () -> {
                try (Table table = connection.getTable(TABLE)) {
                  for (long n = 0; !ends.get(); n++) {
                    Object request;
                    synchronized (requests) {
                      request = requests.apply(n);
                    }
                    long begun = System.nanoTime();
                    if (request instanceof Get get) {
                      table.get(get);
                    } else {
                      table.put((Put) request);
                    }
                    long took = System.nanoTime() - begun;
                    synchronized (latencies) {
                      latencies.get().add(took);
                    }
                  }
                } catch (IOException | RuntimeException e) {
                  failed.countDown();
                  throw e;
                }
                return null;
              }));
    }
    int planned = plannedMoves(admin);
    for (int half = 0; half < 2 * minutes; half++) {
      Map<String, Long> before = processorMillis(cluster);
      assertThat(failed.await(HALF_MINUTE.toSeconds(), TimeUnit.SECONDS))
          .as("a request failed")
          .isFalse();
      Map<String, Long> after = processorMillis(cluster);
      List<Long> measured;
      synchronized (latencies) {
        measured = latencies.getAndSet(new ArrayList<>());
      }
      measured.sort(null);
      double[] used =
          after.keySet().stream().mapToDouble(one -> after.get(one) - before.get(one)).toArray();
      double mean = Arrays.stream(used).average().orElseThrow();
      int now = plannedMoves(admin);
      System.out.printf(
          "%-10s %3d s  servers in %% of their mean: %s  moves %2d  %6.0f/s  p50 %5.1f ms  p99"
              + " %6.1f ms%n",
          name,
          30 * (half + 1),
          Arrays.toString(Arrays.stream(used).map(one -> Math.round(100 * one / mean)).toArray()),
          now - planned,
          measured.size() / 30.0,
          measured.get(measured.size() / 2) / 1e6,
          measured.get((int) (measured.size() * 0.99)) / 1e6);
      planned = now;
    }
    ends.set(true);
    for (Future<?> one : running) {
      one.get(1, TimeUnit.MINUTES);
    }
    threads.shutdown();
  }

  private static int plannedMoves(Admin admin) throws IOException {
    return entries(admin, "BALANCER_DECISION", 1_000).stream()
        .mapToInt(one -> ((BalancerDecision) one).getRegionPlans().size())
        .sum();
  }

  private static Map<String, Long> processorMillis(ClusterProcesses cluster) {
    Map<String, Long> millis = new TreeMap<>();
    cluster
        .local()
        .states()
        .forEach(
            state -> {
              if (state.node().kind() == NodeKind.REGION_SERVER) {
                ProcessHandle.of(state.pid().orElseThrow())
                    .flatMap(process -> process.info().totalCpuDuration())
                    .ifPresent(used -> millis.put(state.node().name(), used.toMillis()));
              }
            });
    return millis;
  }
}
