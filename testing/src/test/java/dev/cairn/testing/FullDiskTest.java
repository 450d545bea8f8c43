package dev.cairn.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.Faults;
import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server on a disk that becomes full and has room again, as HBase's client sees it. */
@Timeout(120)
class FullDiskTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] F = bytes("f");
  private static final byte[] Q = bytes("q");
  private static final int WRITERS = 40; // more than the server has handlers

  private final FaultyStorage disk =
      new FaultyStorage(new MemoryStorage(Clock.SYSTEM), new Faults(new SplittableRandom(1)));
  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final Set<String> acknowledged = new ConcurrentSkipListSet<>();

  @AfterEach
  void stopThreads() {
    executor.shutdownNow();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static TableDescriptor table(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
        .build();
  }

  private static Connection connect(CairnServer server, int retries) throws IOException {
    Configuration configuration = server.configuration();
    configuration.setInt("hbase.client.retries.number", retries);
    configuration.setInt("hbase.client.pause", 20);
    return ConnectionFactory.createConnection(configuration);
  }

  private void put(Table table, String row, int length) throws IOException {
    table.put(new Put(bytes(row)).addColumn(F, Q, new byte[length]));
    acknowledged.add(row);
  }

  private void assertAllThere(Connection connection) throws IOException {
    Set<String> found = new TreeSet<>();
    try (Table table = connection.getTable(TABLE);
        ResultScanner scanner = table.getScanner(new Scan().addColumn(F, Q))) {
      for (Result row : scanner) {
        found.add(Bytes.toString(row.getRow()));
      }
      for (String row : acknowledged) {
        assertThat(table.exists(new Get(bytes(row)))).as(row).isTrue();
      }
    }
    assertThat(found).containsAll(acknowledged);
  }

  @Test
  void writesAreRefusedReadsGoOnAndWritesResumeByThemselves() throws Exception {
    try (CairnServer server =
        CairnServer.builder()
            .storage(disk)
            .setting("cairn.wal.full.disk.probe.interval", "20")
            .start()) {
      try (Connection hasty = connect(server, 1);
          Connection patient = connect(server, 1000);
          Admin admin = patient.getAdmin();
          Table table = hasty.getTable(TABLE)) {
        admin.createTable(table(TABLE));
        for (int i = 0; i < 50; i++) {
          put(table, "before" + i, 100);
        }
        admin.flush(TABLE);

        disk.limitTo(disk.usedBytes() + (100 << 10));
        assertThatThrownBy(
                () -> {
                  for (int i = 0; i < 1000; i++) {
                    put(table, "until" + i, 5000);
                  }
                })
            .hasStackTraceContaining(RegionTooBusyException.class.getName())
            .hasStackTraceContaining("The disk is full");
        List<Future<?>> refused = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
          String row = "refused" + i;
          refused.add(executor.submit(() -> refuse(hasty, row)));
        }
        for (Future<?> one : refused) {
          one.get(60, TimeUnit.SECONDS);
        }
        assertAllThere(hasty);
        TableName other = TableName.valueOf("t2");
        // The master can record that the creation failed only once there is room for the record.
        // The flush comes later: it would take the room for the record that the creation began.
        Future<Void> created = admin.createTableAsync(table(other));
        Future<?> flushed = executor.submit(() -> flush(patient));
        assertAllThere(hasty);

        List<Future<Long>> waiting = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
          int number = i;
          waiting.add(executor.submit(() -> write(patient, number)));
        }
        assertThat(waiting).noneMatch(Future::isDone);
        disk.limitTo(Long.MAX_VALUE);
        assertThatThrownBy(() -> created.get(60, TimeUnit.SECONDS))
            .hasStackTraceContaining("The disk is full");
        Set<Long> counts = new TreeSet<>();
        for (Future<Long> one : waiting) {
          counts.add(one.get(60, TimeUnit.SECONDS));
        }
        assertThat(counts).as("each increment counted once").hasSize(WRITERS).contains(40L);
        flushed.get(60, TimeUnit.SECONDS);
        admin.createTable(table(other));
        assertThat(admin.isTableAvailable(other)).isTrue();
        assertAllThere(patient);
      }
      server.crash();
      try (Connection connection = server.connect();
          Table table = connection.getTable(TABLE)) {
        assertAllThere(connection);
        Result counter = table.get(new Get(bytes("counter")));
        assertThat(Bytes.toLong(counter.getValue(F, bytes("n")))).isEqualTo(WRITERS);
      }
    }
  }

  private Void refuse(Connection hasty, String row) throws IOException {
    try (Table table = hasty.getTable(TABLE)) {
      assertThatThrownBy(() -> put(table, row, 10))
          .hasStackTraceContaining(RegionTooBusyException.class.getName());
    }
    return null;
  }

  private static Void flush(Connection patient) throws IOException {
    try (Admin admin = patient.getAdmin()) {
      admin.flush(TABLE);
    }
    return null;
  }

  private long write(Connection patient, int number) throws IOException {
    try (Table table = patient.getTable(TABLE)) {
      put(table, "resumed" + number, 100);
      Result counted = table.increment(new Increment(bytes("counter")).addColumn(F, bytes("n"), 1));
      return Bytes.toLong(counted.getValue(F, bytes("n")));
    }
  }

  @Test
  void aServerThatStopsOnAFullDiskKeepsWhatItAcknowledged() throws Exception {
    try (CairnServer server =
        CairnServer.builder()
            .storage(disk)
            .setting("cairn.wal.full.disk.probe.interval", "20")
            .start()) {
      try (Connection hasty = connect(server, 1);
          Admin admin = hasty.getAdmin();
          Table table = hasty.getTable(TABLE)) {
        admin.createTable(table(TABLE));
        disk.limitTo(disk.usedBytes() + (50 << 10));
        assertThatThrownBy(
                () -> {
                  for (int i = 0; i < 1000; i++) {
                    put(table, "row" + i, 3000);
                  }
                })
            .hasStackTraceContaining(RegionTooBusyException.class.getName());
      }
      assertThatThrownBy(server::restart)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the log keeps");
      disk.limitTo(Long.MAX_VALUE);
      server.restart();
      try (Connection connection = server.connect()) {
        assertAllThere(connection);
      }
    }
  }
}
