package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.Effort;
import dev.cairn.interop.waiting.Eventually;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Eight clients with default settings put, read, scan and increment while the table is altered,
 * split, merged, flushed and compacted: no client gets an error, and every increment counts once.
 * Prints the seed and the times that calls took during each kind of change; {@code
 * -Dcairn.rounds=N} sets the number of rounds, {@code -Dgroups=long} takes 60.
 */
@Tag("forms")
class SchemaChangeUnderLoadTest {
  private static final TableName NAME = TableName.valueOf("changed");
  private static final byte[] F = toBytes("f");
  private static final byte[] Q = toBytes("q");
  private static final int CLIENTS = 8;
  private static final int COUNTERS = 16;

  /** The first characters of rows: hexadecimal digits. */
  private static final int PREFIXES = 16;

  private static final int ROWS = 200;

  @TempDir Path folder;
  private final SplittableRandom random =
      new SplittableRandom(Long.getLong("cairn.seed", System.nanoTime()));
  private final AtomicLongArray counted = new AtomicLongArray(COUNTERS);
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final Map<String, List<Long>> callNanos = new TreeMap<>();
  private volatile String change = "nothing";

  /** A change of the table. */
  private interface Change {
    void run(Admin admin) throws Exception;
  }

  @Test
  void noClientNoticesAndNoIncrementIsLostOrDoubled() throws Exception {
    int rounds = Effort.rounds(1, 60);
    try (CairnServer server = CairnServer.builder().folder(folder).start();
        Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build(),
          new byte[][] {toBytes("4"), toBytes("8")});
      List<Client> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(new Client(i, server, random.split()));
      }
      clients.forEach(Thread::start);
      try {
        for (int round = 0; round < rounds; round++) {
          changeAll(admin, round);
        }
      } finally {
        stopped.set(true);
        for (Client client : clients) {
          client.join();
        }
      }
      clients.forEach(Client::check);
      try (Table table = connection.getTable(NAME)) {
        for (int i = 0; i < COUNTERS; i++) {
          Result counter = table.get(new Get(counter(i)));
          assertThat(counter.isEmpty() ? 0 : Bytes.toLong(counter.getValue(F, Q)))
              .as("counter %d", i)
              .isEqualTo(counted.get(i));
        }
      }
      report();
    }
  }

  private void changeAll(Admin admin, int round) throws Exception {
    run("nothing", admin, any -> awaitCalls());
    run("flush", admin, any -> any.flush(NAME));
    run("compaction", admin, SchemaChangeUnderLoadTest::compact);
    run("split", admin, this::split);
    run(
        "alter",
        admin,
        any ->
            any.modifyTable(
                TableDescriptorBuilder.newBuilder(any.getDescriptor(NAME))
                    .setValue("ROUND", "" + round)
                    .build()));
    run("new family", admin, any -> alterFamilies(any, round));
    run("compaction", admin, SchemaChangeUnderLoadTest::compact);
    run("merge", admin, this::merge);
    run("compaction", admin, SchemaChangeUnderLoadTest::compact);
  }

  private void run(String name, Admin admin, Change work) throws Exception {
    change = name;
    work.run(admin);
  }

  private static void alterFamilies(Admin admin, int round) throws IOException {
    byte[] family = toBytes("more" + round);
    admin.addColumnFamily(NAME, ColumnFamilyDescriptorBuilder.of(family));
    TableDescriptor now = admin.getDescriptor(NAME);
    assertThat(now.hasColumnFamily(family)).isTrue();
    admin.deleteColumnFamily(NAME, family);
  }

  private static void compact(Admin admin) throws IOException {
    admin.majorCompact(NAME);
    Eventually.holds(
        () -> admin.getCompactionState(NAME) == CompactionState.NONE, "all is compacted");
  }

  private void split(Admin admin) throws Exception {
    byte[] row =
        Client.row(random.nextInt(CLIENTS), random.nextInt(ROWS), random.nextInt(PREFIXES));
    for (RegionInfo region : admin.getRegions(NAME)) {
      if (region.containsRow(row)) {
        admin.splitRegionAsync(region.getRegionName(), row).get(1, TimeUnit.MINUTES);
      }
    }
  }

  private void merge(Admin admin) throws Exception {
    List<RegionInfo> regions = admin.getRegions(NAME);
    int first = random.nextInt(regions.size() - 1);
    byte[][] neighbours = {
      regions.get(first).getRegionName(), regions.get(first + 1).getRegionName()
    };
    admin.mergeRegionsAsync(neighbours, false).get(1, TimeUnit.MINUTES);
  }

  /** Waits for ten calls per client while nothing changes. */
  private void awaitCalls() {
    int before = calls("nothing");
    Eventually.holds(() -> calls("nothing") >= before + 10 * CLIENTS, "the clients call");
  }

  private int calls(String during) {
    synchronized (callNanos) {
      return callNanos.getOrDefault(during, List.of()).size();
    }
  }

  private void took(String during, long nanos) {
    synchronized (callNanos) {
      callNanos.computeIfAbsent(during, key -> new ArrayList<>()).add(nanos);
    }
  }

  private void report() {
    System.out.println("during         calls    p50 ms    p99 ms    max ms");
    callNanos.forEach(
        (during, nanos) -> {
          long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
          System.out.printf(
              "%-12s %7d %9.1f %9.1f %9.1f%n",
              during,
              sorted.length,
              sorted[sorted.length / 2] / 1e6,
              sorted[sorted.length * 99 / 100] / 1e6,
              sorted[sorted.length - 1] / 1e6);
        });
  }

  /** Lies in one of the regions, and spreads over all of them. */
  private static byte[] counter(int index) {
    return toBytes("%x-counter".formatted(index));
  }

  /** A client with a connection and rows of its own, which are what it wrote last. */
  private final class Client extends Thread {
    private final int number;
    private final CairnServer server;
    private final SplittableRandom draws;
    private final long[] written = new long[ROWS];
    private Throwable failure;

    Client(int number, CairnServer server, SplittableRandom draws) {
      super("client-" + number);
      this.number = number;
      this.server = server;
      this.draws = draws;
    }

    @Override
    public void run() {
      try (Connection connection = server.connect();
          Table table = connection.getTable(NAME)) {
        while (!stopped.get()) {
          String during = change;
          long begun = System.nanoTime();
          step(table);
          took(during, System.nanoTime() - begun);
        }
      } catch (Throwable e) {
        failure = e;
      }
    }

    private void step(Table table) throws IOException {
      int row = draws.nextInt(ROWS);
      switch (draws.nextInt(4)) {
        case 0 -> {
          written[row]++;
          table.put(new Put(row(row)).addColumn(F, Q, Bytes.toBytes(written[row])));
        }
        case 1 -> {
          Result result = table.get(new Get(row(row)));
          long found = result.isEmpty() ? 0 : Bytes.toLong(result.getValue(F, Q));
          assertThat(found).isEqualTo(written[row]);
        }
        case 2 -> {
          int counter = draws.nextInt(COUNTERS);
          table.incrementColumnValue(counter(counter), F, Q, 1);
          counted.incrementAndGet(counter);
        }
        default -> scan(table);
      }
    }

    private void scan(Table table) throws IOException {
      byte[] prefix = toBytes("%x-%d-".formatted(draws.nextInt(PREFIXES), number));
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        if (written[i] > 0 && Arrays.equals(prefix, Arrays.copyOf(row(i), prefix.length))) {
          expected.add(Bytes.toString(row(i)) + "=" + written[i]);
        }
      }
      List<String> found = new ArrayList<>();
      try (ResultScanner scanner =
          table.getScanner(new Scan().setStartStopRowForPrefixScan(prefix).setCaching(5))) {
        for (Result result : scanner) {
          found.add(Bytes.toString(result.getRow()) + "=" + Bytes.toLong(result.getValue(F, Q)));
        }
      }
      assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
    }

    private byte[] row(int index) {
      return row(number, index, index % PREFIXES);
    }

    static byte[] row(int client, int index, int prefix) {
      return toBytes("%x-%d-%03d".formatted(prefix, client, index));
    }

    void check() {
      assertThat(failure).as("client %d", number).isNull();
    }
  }
}
