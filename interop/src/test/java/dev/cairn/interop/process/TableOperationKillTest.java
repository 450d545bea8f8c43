package dev.cairn.interop.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A table operation that is cut off by a kill is done or undone after the restart: a table is there
 * with all its regions, in meta, in the file system and for the admin, or it is not there at all.
 *
 * <p>{@code -Dcairn.rounds} sets the number of kills; the seed is given as for {@link
 * DurabilityTest}.
 */
@Tag("forms")
class TableOperationKillTest {
  private static final byte[] F = {'f'};
  private static final byte[] ADDED = {'x'};
  private static final byte[][] SPLITS = {{'g'}, {'n'}, {'t'}};
  private static final List<String> ROWS = List.of("a", "h", "o", "u");
  private static final TableName[] TABLES = {
    TableName.valueOf("one"), TableName.valueOf("two"), TableName.valueOf("three")
  };

  @TempDir private Path directory;
  private ServerProcess server;

  @BeforeEach
  void prepareServer() throws Exception {
    server = new ServerProcess(directory);
  }

  @AfterEach
  void endServer() throws Exception {
    server.close();
  }

  @Test
  void noTableIsEverHalfMade() throws Exception {
    long seed = Long.getLong("cairn.seed", System.nanoTime());
    int rounds = Effort.rounds(1, 50);
    System.out.println("-Dcairn.seed=" + seed + ", rounds: " + rounds);
    SplittableRandom random = new SplittableRandom(seed);
    server.start();
    for (int round = 1; round <= rounds; round++) {
      long began = System.nanoTime();
      int done = operateAndKill(random);
      try (Connection connection = ConnectionFactory.createConnection(server.patientClient());
          Admin admin = connection.getAdmin()) {
        List<String> states = new ArrayList<>();
        for (TableName table : TABLES) {
          states.add(checkWhole(connection, admin, table));
        }
        assertOnlyTheseTables(admin);
        System.out.printf(
            "round %d: %d operations, then %s, %d ms%n",
            round, done, states, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
      }
    }
  }

  /**
   * Lets one thread per table work on it until the server is killed. The operation that each was at
   * comes to its end when the server is back.
   */
  private int operateAndKill(SplittableRandom random) throws Exception {
    AtomicInteger done = new AtomicInteger();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicReference<Boolean> killed = new AtomicReference<>(false);
    List<Thread> threads = new ArrayList<>();
    try (Connection connection = ConnectionFactory.createConnection(server.patientClient())) {
      for (TableName table : TABLES) {
        SplittableRandom own = random.split();
        Thread thread =
            new Thread(
                () -> {
                  try (Admin admin = connection.getAdmin()) {
                    while (!killed.get()) {
                      operate(connection, admin, table, own);
                      done.incrementAndGet();
                    }
                  } catch (Throwable t) {
                    failure.compareAndSet(null, t);
                  }
                },
                table.getNameAsString());
        threads.add(thread);
        thread.start();
      }
      int target = random.nextInt(1, 25);
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
      while (done.get() < target && failure.get() == null && System.nanoTime() < end) {
        LockSupport.parkNanos(1_000_000);
      }
      RandomMoment.pause(random, 0, 60);
      killed.set(true);
      server.kill();
      while (random.nextInt(3) == 0) {
        server.launch();
        RandomMoment.pause(random, 300, 1500);
        server.kill();
      }
      server.start();
      for (Thread thread : threads) {
        thread.join();
      }
    }
    if (failure.get() != null) {
      throw new AssertionError("An operation failed:\n" + server.output(), failure.get());
    }
    return done.get();
  }

  private static void operate(
      Connection connection, Admin admin, TableName table, SplittableRandom random)
      throws IOException {
    if (!admin.tableExists(table)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(table)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build(),
          SPLITS);
      fill(connection, table);
      return;
    }
    boolean enabled = admin.isTableEnabled(table);
    switch (random.nextInt(5)) {
      case 0 -> alter(admin, table);
      case 1 -> {
        if (enabled) {
          admin.disableTable(table);
        }
        admin.truncateTable(table, random.nextBoolean());
      }
      case 2 -> {
        if (enabled) {
          admin.disableTable(table);
        }
        admin.deleteTable(table);
      }
      default -> {
        if (enabled) {
          admin.disableTable(table);
        } else {
          admin.enableTable(table);
        }
      }
    }
  }

  private static void alter(Admin admin, TableName table) throws IOException {
    if (admin.getDescriptor(table).hasColumnFamily(ADDED)) {
      admin.deleteColumnFamily(table, ADDED);
    } else {
      admin.addColumnFamily(table, ColumnFamilyDescriptorBuilder.of(ADDED));
    }
  }

  private static void fill(Connection connection, TableName name) throws IOException {
    try (Table table = connection.getTable(name)) {
      List<Put> puts = new ArrayList<>();
      for (String row : ROWS) {
        puts.add(new Put(Bytes.toBytes(row)).addColumn(F, F, Bytes.toBytes(row)));
      }
      table.put(puts);
    }
  }

  /** Returns what became of {@code name}, and fails if that is nothing whole. */
  private String checkWhole(Connection connection, Admin admin, TableName name) throws IOException {
    Set<String> inFiles = regionFolders(name);
    if (!admin.tableExists(name)) {
      assertThat(inFiles).as("%s is gone", name).isEmpty();
      assertThat(metaRows(connection, name)).as("%s is gone", name).isEmpty();
      return "gone";
    }
    boolean enabled = admin.isTableEnabled(name);
    assertThat(admin.isTableDisabled(name)).isEqualTo(!enabled);
    if (!enabled) {
      admin.enableTable(name); // whatever happened to it, that works
    }
    List<RegionInfo> regions = admin.getRegions(name);
    Set<String> inMeta =
        regions.stream()
            .map(RegionInfo::getEncodedName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(regions).hasSizeBetween(1, SPLITS.length + 1);
    assertThat(inMeta).isEqualTo(inFiles).hasSameSizeAs(regions);
    assertThat(regions.get(0).getStartKey()).isEmpty();
    assertThat(regions.get(regions.size() - 1).getEndKey()).isEmpty();
    for (int i = 1; i < regions.size(); i++) {
      assertThat(regions.get(i).getStartKey()).isEqualTo(regions.get(i - 1).getEndKey());
    }
    try (RegionLocator locator = connection.getRegionLocator(name)) {
      for (HRegionLocation location : locator.getAllRegionLocations()) {
        assertThat(location.getServerName()).as("%s", location.getRegion()).isNotNull();
      }
    }
    TableDescriptor descriptor = admin.getDescriptor(name);
    fill(connection, name);
    try (Table table = connection.getTable(name)) {
      if (descriptor.hasColumnFamily(ADDED)) {
        table.put(new Put(F).addColumn(ADDED, F, F));
        table.delete(new Delete(F).addFamily(ADDED));
      }
      List<String> rows = new ArrayList<>();
      try (ResultScanner results = table.getScanner(new Scan())) {
        for (Result result : results) {
          rows.add(Bytes.toString(result.getRow()));
        }
      }
      assertThat(rows).isEqualTo(ROWS);
    }
    return (enabled ? "enabled" : "disabled") + " with " + regions.size();
  }

  private static List<String> metaRows(Connection connection, TableName name) throws IOException {
    List<String> rows = new ArrayList<>();
    try (Table meta = connection.getTable(TableName.META_TABLE_NAME);
        ResultScanner results = meta.getScanner(new Scan())) {
      for (Result result : results) {
        String row = Bytes.toString(result.getRow());
        if (row.equals(name.getNameAsString()) || row.startsWith(name.getNameAsString() + ",")) {
          rows.add(row);
        }
      }
    }
    return rows;
  }

  private Set<String> regionFolders(TableName name) throws IOException {
    Path folder = server.dataFolder().resolve("data/default").resolve(name.getQualifierAsString());
    if (!Files.exists(folder)) {
      return Set.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.matches("[0-9a-f]{32}"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** What the admin lists is what the folder of the namespace holds. */
  private void assertOnlyTheseTables(Admin admin) throws IOException {
    Set<String> listed = new TreeSet<>();
    for (TableName name : admin.listTableNames()) {
      listed.add(name.getNameAsString());
    }
    Path folder = server.dataFolder().resolve("data/default");
    Set<String> folders = new TreeSet<>();
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        files.forEach(file -> folders.add(file.getFileName().toString()));
      }
    }
    assertThat(folders).isEqualTo(listed);
  }
}
