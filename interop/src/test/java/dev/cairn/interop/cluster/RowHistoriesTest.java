package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.cluster.ClusterPlan;
import dev.cairn.launcher.cluster.ClusterPlan.Node;
import dev.cairn.launcher.cluster.NodeKind;
import dev.cairn.torture.history.RecordedHistory;
import dev.cairn.torture.history.RowCall;
import dev.cairn.torture.history.RowOperation;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.commons.lang3.exception.ExceptionUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients put, delete, read, increment and check rows while processes are killed and frozen; each
 * row's history must be linearizable. Each call is sent once: a put that Apache's client repeats
 * may take effect twice, in HBase as here. A history that fails is kept in a file; {@code bin/cairn
 * torture --history FILE} checks it again.
 */
@Tag("long")
@Timeout(7200)
class RowHistoriesTest {
  private static final TableName TABLE = TableName.valueOf("histories");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final int CLIENTS = 5;
  private static final int ROWS = 8;

  /** More calls, and above all more calls without an answer, would make the search slow. */
  private static final int CALLS_PER_ROW = 200;

  private static final int UNANSWERED_PER_ROW = 6;

  private final RecordedHistory history = new RecordedHistory();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong unanswered = new AtomicLong();

  @TempDir private Path folder;

  /** A row at one moment of the test. It is replaced when its history is long enough. */
  private static final class Slot {
    private final int number;
    private int generation;
    private int calls;
    private int lost;

    private Slot(int number) {
      this.number = number;
    }

    private synchronized String take() {
      if (calls++ >= CALLS_PER_ROW || lost >= UNANSWERED_PER_ROW) {
        generation++;
        calls = 0;
        lost = 0;
      }
      return "%d-%06d".formatted(number, generation);
    }

    private synchronized void lose() {
      lost++;
    }
  }

  @Test
  void eachRowIsLinearizable() throws Exception {
    long seed = Long.getLong("cairn.seed", System.currentTimeMillis());
    int rounds = Integer.getInteger("cairn.rounds", 5);
    SplittableRandom random = new SplittableRandom(seed);
    System.out.println("RowHistoriesTest: -Dcairn.seed=" + seed + " -Dcairn.rounds=" + rounds);
    try (ClusterProcesses cluster =
        ClusterProcesses.onHdfs(
            folder, new ClusterPlan.Counts(2, 3, 2), Map.of("zookeeper.session.timeout", "6000"))) {
      create(cluster);
      List<Slot> slots = new ArrayList<>();
      for (int row = 0; row < ROWS; row++) {
        slots.add(new Slot(row));
      }
      List<Thread> clients = new ArrayList<>();
      for (int client = 0; client < CLIENTS; client++) {
        int number = client;
        SplittableRandom own = random.split();
        clients.add(new Thread(() -> work(cluster.client(), number, own, slots)));
      }
      clients.forEach(Thread::start);
      for (int round = 0; round < rounds; round++) {
        fault(cluster, random);
      }
      stopped.set(true);
      for (Thread client : clients) {
        client.join();
      }
    }
    System.out.println(
        "RowHistoriesTest: " + answered + " calls answered, " + unanswered + " without an answer");
    assertThat(answered.get()).isPositive();
    List<String> violations = history.violations();
    if (!violations.isEmpty()) {
      Path kept = Path.of("target", "history-" + seed + ".txt").toAbsolutePath();
      history.write(kept);
      violations.add("bin/cairn torture --history " + kept);
    }
    assertThat(violations).isEmpty();
  }

  private static void create(ClusterProcesses cluster) throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(cluster.client())) {
      byte[][] splits = {Bytes.toBytes("2"), Bytes.toBytes("4"), Bytes.toBytes("6")};
      connection
          .getAdmin()
          .createTable(
              TableDescriptorBuilder.newBuilder(TABLE)
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                  .build(),
              splits);
    }
  }

  /** Lets the clients work, then disturbs a process and waits until clients are answered again. */
  private void fault(ClusterProcesses cluster, SplittableRandom random) throws Exception {
    cluster.awaitServing();
    awaitAnswers(200);
    List<Node> servers = cluster.local().plan().nodes(NodeKind.REGION_SERVER);
    String server = servers.get(random.nextInt(servers.size())).name();
    switch (random.nextInt(4)) {
      case 0 -> {
        cluster.kill(server);
        awaitAnswers(200);
        cluster.launch(server);
      }
      case 1 -> {
        cluster.freeze(server);
        awaitAnswers(200); // a session ends before that if the frozen server has all rows
        cluster.thaw(server);
        cluster.await(
            "the server works or has ended", () -> cluster.isRunning(server) || answered.get() > 0);
        if (!cluster.isRunning(server)) {
          cluster.launch(server);
        }
      }
      case 2 -> {
        String master = cluster.activeMaster();
        cluster.kill(master);
        awaitAnswers(100);
        cluster.launch(master);
      }
      default -> {
        cluster.freeze(server);
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(3_000)).toNanos());
        cluster.thaw(server);
      }
    }
    for (Node node : cluster.local().plan().nodes()) {
      if (!cluster.isRunning(node.name())) {
        cluster.launch(node.name());
      }
    }
  }

  private void awaitAnswers(long count) {
    long enough = answered.get() + count;
    Awaitility.await("clients are answered")
        .atMost(Duration.ofMinutes(5))
        .until(() -> answered.get() >= enough);
  }

  private void work(
      Configuration configuration, int client, SplittableRandom random, List<Slot> slots) {
    configuration.setInt("hbase.client.retries.number", 0); // a call is sent once
    configuration.setInt("hbase.rpc.timeout", 5_000);
    configuration.setInt("hbase.client.operation.timeout", 10_000);
    configuration.setInt("hbase.client.meta.operation.timeout", 10_000);
    configuration.setBoolean("hbase.client.nonces.enabled", false);
    while (!stopped.get()) {
      try (Connection connection = ConnectionFactory.createConnection(configuration);
          Table table = connection.getTable(TABLE)) {
        while (!stopped.get()) {
          call(table, client, random, slots.get(random.nextInt(slots.size())));
        }
      } catch (IOException e) {
        LockSupport.parkNanos(Duration.ofMillis(100).toNanos()); // no server tells where meta is
      }
    }
  }

  /** A call that was sent, and the same without its result. */
  private interface Sent {
    RowCall send() throws IOException;
  }

  private void call(Table table, int client, SplittableRandom random, Slot slot) {
    String name = slot.take();
    byte[] row = Bytes.toBytes(name);
    long value = random.nextInt(1, 4);
    Optional<RowCall> unknown;
    Sent sent;
    switch (random.nextInt(6)) {
      case 0 -> {
        unknown = Optional.of(new RowCall.Put(value));
        sent =
            () -> {
              table.put(put(row, value));
              return new RowCall.Put(value);
            };
      }
      case 1 -> {
        unknown = Optional.of(new RowCall.Delete());
        sent =
            () -> {
              table.delete(new Delete(row));
              return new RowCall.Delete();
            };
      }
      case 2 -> {
        unknown = Optional.of(new RowCall.Increment(value, OptionalLong.empty()));
        sent =
            () -> {
              Increment increment = new Increment(row).addColumn(FAMILY, QUALIFIER, value);
              return new RowCall.Increment(value, number(table.increment(increment)));
            };
      }
      case 3 -> {
        OptionalLong expected =
            random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(random.nextInt(1, 4));
        unknown = Optional.of(new RowCall.CheckAndPut(expected, value, Optional.empty()));
        sent =
            () ->
                new RowCall.CheckAndPut(
                    expected, value, Optional.of(checkAndPut(table, row, expected, value)));
      }
      default -> {
        unknown = Optional.empty();
        sent = () -> new RowCall.Get(number(table.get(new Get(row))));
      }
    }
    long begin = System.nanoTime();
    try {
      RowCall done = sent.send();
      history.add(name, new RowOperation(client, begin, System.nanoTime(), done));
      answered.incrementAndGet();
    } catch (IOException e) {
      if (unknown.isPresent() && mayHaveTakenEffect(e)) {
        slot.lose();
        unanswered.incrementAndGet();
        history.add(name, new RowOperation(client, begin, RowOperation.NEVER, unknown.get()));
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
  }

  /** Tells whether an error may hide a success: the region was there, and the call was sent. */
  private static boolean mayHaveTakenEffect(IOException e) {
    return ExceptionUtils.indexOfType(e, NotServingRegionException.class) < 0
        && ExceptionUtils.indexOfType(e, ConnectException.class) < 0;
  }

  private static Put put(byte[] row, long value) {
    return new Put(row).addColumn(FAMILY, QUALIFIER, Bytes.toBytes(value));
  }

  private static boolean checkAndPut(Table table, byte[] row, OptionalLong expected, long value)
      throws IOException {
    CheckAndMutate.Builder check = CheckAndMutate.newBuilder(row);
    CheckAndMutate.Builder condition =
        expected.isPresent()
            ? check.ifEquals(FAMILY, QUALIFIER, Bytes.toBytes(expected.getAsLong()))
            : check.ifNotExists(FAMILY, QUALIFIER);
    return table.checkAndMutate(condition.build(put(row, value))).isSuccess();
  }

  private static OptionalLong number(Result result) {
    byte[] value = result.getValue(FAMILY, QUALIFIER);
    return value == null ? OptionalLong.empty() : OptionalLong.of(Bytes.toLong(value));
  }
}
