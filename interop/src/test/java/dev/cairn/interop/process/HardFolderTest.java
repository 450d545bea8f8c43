package dev.cairn.interop.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.Effort;
import dev.cairn.interop.waiting.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Data folders in a state that is hard to go on with: HBase was killed amid changes of tables, and
 * with logs of all its kinds; or Cairn has changed tables that snapshots need.
 */
@Tag("long")
class HardFolderTest {
  private static final int SECONDS_MAX = 240;
  private static final int ROWS = 300;

  /** Longer than the time since 1970. */
  private static final long TTL_MILLIS = 1L << 50;

  private static final byte[] Q = Bytes.toBytes("q");

  private static final TableName PACKED = TableName.valueOf("packed");
  private static final TableName MERGED = TableName.valueOf("merged");
  private static final TableName CLONE = TableName.valueOf("crew", "clone");
  private static final TableName RESTLESS = TableName.valueOf("restless");
  private static final TableName PARTED = TableName.valueOf("parted");

  /** Its cells have TTLs. */
  private static final TableName TAGGED = TableName.valueOf("tagged");

  private static final List<TableName> COMPARED = List.of(PACKED, MERGED, CLONE, TAGGED);
  private static final String SPLIT_INTO_FILES = "hbase.wal.split.to.hfile";

  private final AtomicInteger names = new AtomicInteger();
  @TempDir private Path directory;
  private ServerProcess cairn;
  private HBaseProcess hbase;

  @BeforeEach
  void prepare() throws IOException {
    cairn = new ServerProcess(directory);
    hbase = new HBaseProcess(directory.resolve("hbase"), cairn);
    cairn.set("hbase.hstore.compaction.max", "200");
    for (String key : List.of("hbase.hstore.compaction.min", "hbase.hstore.compactionThreshold")) {
      hbase.set(key, "100");
      cairn.set(key, "100");
    }
    hbase
        .set("hbase.wal.provider", "multiwal")
        .set("hbase.regionserver.wal.enablecompression", "true")
        .set("hbase.regionserver.wal.value.enablecompression", "true")
        .set(SPLIT_INTO_FILES, "true")
        .set("hbase.quota.enabled", "true");
  }

  @AfterEach
  void end() throws Exception {
    hbase.close();
    cairn.close();
  }

  @Test
  void whereverHBaseIsKilledCairnGoesOnAndHBaseAfterIt() throws Exception {
    long seed = Long.getLong("cairn.seed", System.nanoTime());
    System.out.println("-Dcairn.seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    hbase.start();
    try (Connection connection = connect()) {
      fill(connection);
      Map<TableName, TableImage> written = Map.of();
      for (int round = 0; round < Effort.rounds(1, 10); round++) {
        if (round > 0) {
          hbase.start();
        }
        written = verifyAndWrite(written, "hbase " + round);
        changeTablesUntil(random, 4000, List.of(Change.values()), hbase::kill);
        if (random.nextInt(4) == 0) {
          boolean intoFiles = random.nextBoolean();
          hbase.set(SPLIT_INTO_FILES, String.valueOf(intoFiles));
          hbase.launch(); // It is killed once more, while it recovers.
          RandomMoment.pause(random, 2000, 8000);
          hbase.kill();
          if (intoFiles) {
            written.remove(TAGGED); // HBase writes these files without tags.
          }
        }
        cairn.start();
        written = verifyAndWrite(written, "cairn " + round);
        if (random.nextInt(3) == 0) {
          cairn.kill();
          cairn.start();
          written = verifyAndWrite(written, "cairn again " + round);
        }
        changeTablesUntil(
            random,
            2000,
            List.of(Change.CREATE_AND_DELETE, Change.MODIFY),
            () -> assertThat(cairn.terminate(SECONDS_MAX)).isEqualTo(143));
      }
      hbase.start();
      verifyAndWrite(written, "at the end");
    }
  }

  /** What is done to tables while a server is on its way down. */
  private enum Change {
    CREATE_AND_DELETE,
    MODIFY,
    SPLIT_AND_MERGE,
    SNAPSHOT
  }

  /** Ends a server. */
  private interface End {
    void run() throws Exception;
  }

  private void changeTablesUntil(
      SplittableRandom random, int millisMax, List<Change> changes, End end) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    try (Connection connection = ConnectionFactory.createConnection(cairn.impatientClient())) {
      for (Change change : changes) {
        Thread thread = new Thread(() -> changeTables(connection, change, over));
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
      }
      RandomMoment.pause(random, 0, millisMax);
      over.set(true);
      end.run();
    }
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        thread.interrupt(); // The client takes an interruption for a reason to try again.
        thread.join(50);
      }
    }
  }

  private void changeTables(Connection connection, Change change, AtomicBoolean over) {
    for (int i = 0; !over.get(); i++) {
      try (Admin admin = connection.getAdmin()) {
        changeTables(admin, change, i);
      } catch (Exception e) {
        continue; // Two of them are in each other's way, or the server is gone.
      }
    }
  }

  private void changeTables(Admin admin, Change change, int i) throws Exception {
    String name = "x" + names.incrementAndGet();
    switch (change) {
      case CREATE_AND_DELETE -> {
        TableName table = TableName.valueOf("new-" + i % 3);
        if (!admin.tableExists(table)) {
          byte[][] splits = new byte[20][];
          for (int s = 0; s < splits.length; s++) {
            splits[s] = Bytes.toBytes("%02d".formatted(s));
          }
          admin.createTable(table(table, family("f").build(), family("g").build()), splits);
        }
        if (admin.isTableEnabled(table)) {
          admin.disableTable(table);
        }
        admin.deleteTable(table);
      }
      case MODIFY -> {
        if (admin.isTableDisabled(RESTLESS)) {
          admin.enableTable(RESTLESS);
        }
        admin.addColumnFamily(RESTLESS, family(name).build());
        admin.deleteColumnFamily(RESTLESS, Bytes.toBytes(name));
        admin.disableTable(RESTLESS);
      }
      case SPLIT_AND_MERGE -> {
        List<RegionInfo> regions = admin.getRegions(PARTED);
        RegionInfo region = regions.get(i % regions.size());
        byte[] row = Bytes.toBytes("row-%03d".formatted(37 * (i + 1) % ROWS));
        if (region.containsRow(row)) {
          admin.splitRegionAsync(region.getRegionName(), row).get();
        }
        admin.majorCompact(PARTED); // Else what was split cannot be split again.
        regions = admin.getRegions(PARTED);
        if (regions.size() > 3) {
          admin
              .mergeRegionsAsync(
                  new byte[][] {
                    regions.get(0).getEncodedNameAsBytes(), regions.get(1).getEncodedNameAsBytes()
                  },
                  false)
              .get();
        }
      }
      case SNAPSHOT -> {
        admin.snapshot(name, PACKED);
        admin.createNamespace(NamespaceDescriptor.create(name).build());
        admin.deleteNamespace(name);
      }
    }
  }

  /** All that was written is there, every table works, and more is written. */
  private Map<TableName, TableImage> verifyAndWrite(
      Map<TableName, TableImage> written, String value) throws Exception {
    try (Connection connection = connect();
        Admin admin = connection.getAdmin()) {
      if (!written.isEmpty()) {
        assertThat(images(connection, written.keySet())).isEqualTo(written);
      }
      for (TableName name : admin.listTableNames()) {
        boolean enabled = admin.isTableEnabled(name);
        assertThat(enabled || admin.isTableDisabled(name)).as("%s has a state", name).isTrue();
        if (name.getNameAsString().startsWith("new-")) {
          if (enabled) {
            assertThat(rows(connection, name)).isZero();
            admin.disableTable(name);
          }
          admin.deleteTable(name);
        } else if (!enabled) {
          admin.enableTable(name);
        }
      }
      assertThat(rows(connection, RESTLESS)).isEqualTo(ROWS);
      assertThat(rows(connection, PARTED)).isEqualTo(ROWS);
      for (TableName name : COMPARED) {
        try (Table table = connection.getTable(name)) {
          for (int i = 0; i < 30; i++) {
            Put put = put("row-%03d %s".formatted(10 * i, value), "f", value);
            table.put(name.equals(TAGGED) ? put.setTTL(TTL_MILLIS) : put);
          }
        }
      }
      return images(connection, COMPARED);
    }
  }

  private static int rows(Connection connection, TableName name) throws IOException {
    int rows = 0;
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result result : scanner) {
        rows += result.isEmpty() ? 0 : 1;
      }
    }
    return rows;
  }

  @Test
  void whatSnapshotsNeedStaysWhateverBecomesOfTheirTables() throws Exception {
    TableName pictured = TableName.valueOf("pictured");
    TableName clone = TableName.valueOf("crew", "clone");
    TableName again = TableName.valueOf("again");
    Map<TableName, TableImage> written = new TreeMap<>();
    cairn.start(); // The folder is its work.
    try (Connection connection = connect();
        Admin admin = connection.getAdmin()) {
      admin.createNamespace(NamespaceDescriptor.create("crew").build());
    }
    assertThat(cairn.terminate(SECONDS_MAX)).isEqualTo(143);
    hbase.start();
    try (Connection connection = connect();
        Admin admin = connection.getAdmin()) {
      admin.createTable(table(pictured, family("f").build(), family("g").build()));
      try (Table rows = connection.getTable(pictured)) {
        for (int row = 0; row < ROWS; row++) {
          rows.put(put("row-%03d".formatted(row), "f", "f" + row));
          rows.put(put("row-%03d".formatted(row), "g", "g" + row));
        }
        admin.flush(pictured);
        byte[] parent = admin.getRegions(pictured).get(0).getRegionName();
        admin.splitRegionAsync(parent, Bytes.toBytes("row-100")).get();
        rows.put(put("row-400", "f", "f"));
      }
      admin.snapshot("picture", pictured);
      admin.cloneSnapshot("picture", clone);
      written.put(pictured, TableImage.of(connection, pictured, false));
      written.put(clone, TableImage.of(connection, clone, false));
    }
    hbase.stop(SECONDS_MAX);

    cairn.set("hbase.master.hfilecleaner.ttl", "0").set("hbase.master.cleaner.interval", "100");
    cairn.start();
    try (Connection connection = connect();
        Admin admin = connection.getAdmin()) {
      admin.deleteColumnFamily(pictured, Bytes.toBytes("g"));
      compact(admin, pictured);
      admin.disableTable(pictured);
      admin.truncateTable(pictured, true);
      awaitCleaner(connection, "first");
      admin.disableTable(pictured);
      admin.deleteTable(pictured);
      awaitCleaner(connection, "second");
      assertThat(TableImage.of(connection, clone, false)).isEqualTo(written.get(clone));
      compact(admin, clone);
      awaitCleaner(connection, "third");
    }
    assertThat(cairn.terminate(SECONDS_MAX)).isEqualTo(143);

    hbase.start();
    try (Connection connection = connect();
        Admin admin = connection.getAdmin()) {
      assertThat(TableImage.of(connection, clone, false)).isEqualTo(written.get(clone));
      admin.cloneSnapshot("picture", again);
      assertThat(TableImage.of(connection, again, false)).isEqualTo(written.get(pictured));
    }
    hbase.stop(SECONDS_MAX);

    cairn.start();
    try (Connection connection = connect()) {
      assertThat(TableImage.of(connection, again, false)).isEqualTo(written.get(pictured));
      awaitCleaner(connection, "fourth");
      assertThat(TableImage.of(connection, again, false)).isEqualTo(written.get(pictured));
    }
  }

  private void compact(Admin admin, TableName table) throws Exception {
    admin.majorCompact(table);
    Path home =
        cairn
            .dataFolder()
            .resolve("data")
            .resolve(table.getNamespaceAsString())
            .resolve(table.getQualifierAsString());
    Eventually.holds(() -> references(home) == 0, table + " is compacted");
  }

  /** Returns how many references to parts of files there are. */
  private static long references(Path table) throws IOException {
    try (Stream<Path> files = Files.walk(table)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches(".+\\.[0-9a-f]{32}"))
          .count();
    }
  }

  /** Waits until the cleaner has deleted what nobody needs. */
  private void awaitCleaner(Connection connection, String name) throws Exception {
    TableName table = TableName.valueOf(name);
    try (Admin admin = connection.getAdmin();
        Table rows = connection.getTable(table)) {
      admin.createTable(table(table, family("f").build()));
      rows.put(put("r", "f", "v"));
      admin.flush(table);
      admin.disableTable(table);
      admin.deleteTable(table);
    }
    Path archived = cairn.dataFolder().resolve("archive/data/default").resolve(name);
    Eventually.holds(() -> !hasFiles(archived), "what nobody needs is deleted");
  }

  private static boolean hasFiles(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files.anyMatch(Files::isRegularFile);
    } catch (UncheckedIOException e) {
      return true; // It is being deleted.
    }
  }

  private static void fill(Connection connection) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      admin.createNamespace(NamespaceDescriptor.create("crew").build());
      admin.createTable(
          table(
              PACKED,
              family("f")
                  .setDataBlockEncoding(DataBlockEncoding.FAST_DIFF)
                  .setCompressionType(Compression.Algorithm.GZ)
                  .setMaxVersions(1000)
                  .build()));
      admin.createTable(table(TAGGED, family("f").setMaxVersions(1000).build()));
      admin.createTable(
          table(MERGED, family("f").build()),
          new byte[][] {Bytes.toBytes("row-100"), Bytes.toBytes("row-200")});
      admin.createTable(table(RESTLESS, family("f").build()));
      admin.createTable(table(PARTED, family("f").build()));
      try (Table packed = connection.getTable(PACKED);
          Table tagged = connection.getTable(TAGGED);
          Table merged = connection.getTable(MERGED);
          Table parted = connection.getTable(PARTED);
          Table restless = connection.getTable(RESTLESS)) {
        for (int version = 1; version <= 300; version++) {
          packed.put(version("many", version));
          tagged.put(version("living", version).setTTL(TTL_MILLIS + version));
          tagged.put(version("expired", version).setTTL(version));
        }
        packed.put(
            new Put(Bytes.toBytes("big"), 1L)
                .addColumn(Bytes.toBytes("f"), Q, new byte[3_000_000]));
        for (int row = 0; row < ROWS; row++) {
          merged.put(put("row-%03d".formatted(row), "f", "v"));
          parted.put(put("row-%03d".formatted(row), "f", "v"));
          restless.put(put("row-%03d".formatted(row), "f", "v"));
        }
      }
      for (TableName name : List.of(PACKED, MERGED, RESTLESS, PARTED)) {
        admin.flush(name);
      }
      List<RegionInfo> regions = admin.getRegions(MERGED);
      admin
          .mergeRegionsAsync(
              new byte[][] {
                regions.get(0).getEncodedNameAsBytes(), regions.get(1).getEncodedNameAsBytes()
              },
              false)
          .get();
      admin.snapshot("picture", MERGED);
      admin.cloneSnapshot("picture", CLONE);
    }
  }

  private Connection connect() throws IOException {
    Configuration client = cairn.patientClient();
    client.set("hbase.client.rpc.codec", "org.apache.hadoop.hbase.codec.KeyValueCodecWithTags");
    return ConnectionFactory.createConnection(client);
  }

  private static Map<TableName, TableImage> images(
      Connection connection, Collection<TableName> tables) throws IOException {
    Map<TableName, TableImage> images = new TreeMap<>();
    for (TableName table : tables) {
      images.put(table, TableImage.of(connection, table, false));
    }
    return images;
  }

  private static TableDescriptor table(TableName name, ColumnFamilyDescriptor... families) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamilies(Arrays.asList(families))
        .build();
  }

  private static ColumnFamilyDescriptorBuilder family(String name) {
    return ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(name));
  }

  private static Put version(String row, int version) {
    return new Put(Bytes.toBytes(row), version)
        .addColumn(Bytes.toBytes("f"), Q, Bytes.toBytes("v" + version));
  }

  private static Put put(String row, String family, String value) {
    return new Put(Bytes.toBytes(row)).addColumn(Bytes.toBytes(family), Q, Bytes.toBytes(value));
  }
}
