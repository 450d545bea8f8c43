package dev.cairn.interop.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.interop.client.ServerUnderTest;
import dev.cairn.keys.client.UidKind;
import dev.cairn.keys.client.UidTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Each name gets one number, also if several clients ask, or a client dies meanwhile. */
class UidTableTest {
  private static final byte[] ID = Bytes.toBytes("id");
  private static final byte[] NAME = Bytes.toBytes("name");
  private static final byte[] METRICS = Bytes.toBytes("metrics");

  @RegisterExtension static final ServerUnderTest server = new ServerUnderTest();

  private final long seed = Long.getLong("cairn.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final TableName table = server.newName("uids");

  @BeforeEach
  void createTable() throws IOException {
    UidTable.create(server.admin(), table);
  }

  private UidKind metrics(Connection connection) {
    return new UidTable(connection, table).kind("metrics", 3);
  }

  @Test
  void theLayoutIsThatOfOpenTsdb() throws IOException {
    UidKind metrics = metrics(server.connection());
    assertThat(metrics.find("sys.cpu")).isEmpty();
    assertThat(metrics.assign("sys.cpu")).isEqualTo(1);
    assertThat(metrics.assign("sys.mem")).isEqualTo(2);
    assertThat(metrics.assign("sys.cpu")).isEqualTo(1);
    assertThat(new UidTable(server.connection(), table).kind("tagk", 3).assign("host"))
        .isEqualTo(1);
    try (Table rows = server.connection().getTable(table)) {
      assertThat(rows.get(new Get(Bytes.toBytes("sys.mem"))).getValue(ID, METRICS))
          .containsExactly(0, 0, 2);
      assertThat(rows.get(new Get(new byte[] {0, 0, 2})).getValue(NAME, METRICS))
          .asString()
          .isEqualTo("sys.mem");
      assertThat(rows.get(new Get(new byte[] {0})).getValue(ID, METRICS))
          .isEqualTo(Bytes.toBytes(2L));
    }
    UidKind other = metrics(server.connection());
    assertThat(other.name(2)).contains("sys.mem");
    assertThat(other.name(3)).isEmpty();
    assertThat(other.find("sys.mem")).hasValue(2);
  }

  @Test
  void numbersThatAreGivenByHandAreLeftOut() throws IOException {
    try (Table rows = server.connection().getTable(table)) {
      rows.put(new Put(new byte[] {0, 0, 1}).addColumn(NAME, METRICS, Bytes.toBytes("taken")));
    }
    UidKind metrics = metrics(server.connection());
    assertThat(metrics.assign("sys.cpu")).isEqualTo(2);
    assertThat(metrics.name(1)).isEmpty();
  }

  @Test
  void refusesNumbersBeyondTheWidthAndOtherWidths() throws IOException {
    UidTable uids = new UidTable(server.connection(), table);
    UidKind small = uids.kind("small", 1);
    try (Table rows = server.connection().getTable(table)) {
      rows.put(new Put(new byte[] {0}).addColumn(ID, Bytes.toBytes("small"), Bytes.toBytes(254L)));
    }
    assertThat(small.assign("last")).isEqualTo(255);
    assertThatThrownBy(() -> small.assign("more"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("all numbers of 1 bytes are given");
    assertThat(small.find("more")).isEmpty();
    assertThatThrownBy(() -> uids.kind("small", 2)).hasMessageContaining("1 bytes, not 2");
    assertThatThrownBy(() -> small.assign("")).hasMessageContaining("neither empty");
    assertThatThrownBy(() -> small.assign("\0")).hasMessageContaining("neither empty");
    assertThatThrownBy(() -> uids.kind("wide", 9)).hasMessageContaining("1 to 8");
  }

  @Test
  void manyThreadsOfSeveralProcessesAgree() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<UidKind> processes = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        processes.add(metrics(server.connection()));
      }
      List<Future<Map<String, Long>>> futures = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        UidKind process = processes.get(i % processes.size());
        Random order = new Random(seed + i);
        futures.add(
            threads.submit(
                () -> {
                  Map<String, Long> numbers = new HashMap<>();
                  for (int n = 0; n < 60; n++) {
                    String name = "m" + order.nextInt(40);
                    long number = process.assign(name);
                    assertThat(numbers.getOrDefault(name, number)).isEqualTo(number);
                    numbers.put(name, number);
                  }
                  return numbers;
                }));
      }
      Map<String, Long> all = new HashMap<>();
      for (Future<Map<String, Long>> future : futures) {
        future
            .get(100, TimeUnit.SECONDS)
            .forEach(
                (name, number) ->
                    assertThat(all.merge(name, number, (one, other) -> one))
                        .describedAs("seed %s, %s", seed, name)
                        .isEqualTo(number));
      }
      assertThat(new HashSet<>(all.values())).hasSameSizeAs(all.keySet());
      checkTable(all);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void clientsThatDieBetweenTheStepsLeaveGapsAlone() throws Exception {
    Map<String, Long> all = new HashMap<>();
    int deaths = 0;
    for (int round = 0; round < 120; round++) {
      // It dies before or after the request that it had sent arrived.
      DyingConnection dying =
          new DyingConnection(server.connection(), random.nextInt(5), random.nextBoolean());
      String name = "m" + random.nextInt(20);
      try {
        long number = metrics(dying.connection()).assign(name);
        assertThat(all.getOrDefault(name, number)).isEqualTo(number);
        all.put(name, number);
      } catch (DyingConnection.Died e) {
        deaths++;
      }
      if (random.nextInt(4) == 0) {
        long number = metrics(server.connection()).assign(name);
        assertThat(all.getOrDefault(name, number)).describedAs("seed %s", seed).isEqualTo(number);
        all.put(name, number);
      }
    }
    assertThat(deaths).describedAs("seed %s", seed).isGreaterThan(5);
    for (int i = 0; i < 20; i++) {
      all.put("m" + i, metrics(server.connection()).assign("m" + i));
    }
    assertThat(new HashSet<>(all.values())).describedAs("seed %s", seed).hasSize(20);
    checkTable(all);
  }

  /** Every name has its number, every number its name, and a gap has none. */
  private void checkTable(Map<String, Long> all) throws IOException {
    UidKind fresh = metrics(server.connection());
    Map<String, Long> stored = new HashMap<>();
    try (Table rows = server.connection().getTable(table);
        ResultScanner scanner = rows.getScanner(new Scan().addColumn(ID, METRICS))) {
      for (Result row : scanner) {
        if (row.getRow().length > 1) {
          byte[] number = row.value();
          stored.put(
              Bytes.toString(row.getRow()),
              Bytes.toLong(Bytes.padHead(number, Long.BYTES - number.length)));
        }
      }
    }
    assertThat(stored).describedAs("seed %s", seed).isEqualTo(all);
    for (Map.Entry<String, Long> entry : all.entrySet()) {
      assertThat(metrics(server.connection()).name(entry.getValue())).contains(entry.getKey());
    }
    long greatest = all.values().stream().mapToLong(Long::longValue).max().orElse(0);
    for (long number = 1; number <= greatest; number++) {
      assertThat(fresh.name(number).isPresent()).isEqualTo(all.containsValue(number));
    }
  }
}
