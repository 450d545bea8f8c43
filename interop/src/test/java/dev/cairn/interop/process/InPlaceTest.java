package dev.cairn.interop.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.interop.index.IndexedAnswers;
import dev.cairn.interop.waiting.Eventually;
import dev.cairn.interop.waiting.IndexBuild;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.config.SiteConfigLoader;
import dev.cairn.server.exchange.ImportReport;
import dev.cairn.server.exchange.ImportReport.LogKind;
import dev.cairn.server.process.ImportCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState.State;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One data folder, served in turn by Apache HBase and by Cairn: killed or stopped, each finds all
 * that the other one wrote.
 */
class InPlaceTest {
  private static final int SECONDS_MAX = 240;
  private static final byte[] Q = Bytes.toBytes("q");

  /** Every encoding and the codecs that HBase has in pure Java, one per family. */
  private static final TableName CODECS = TableName.valueOf("codecs");

  /** Nothing is ever dropped from it, so that even raw scans must agree. */
  private static final TableName KEPT = TableName.valueOf("crew", "kept");

  /** Split, with references that no compaction has replaced. */
  private static final TableName HALVES = TableName.valueOf("halves");

  /** A clone of a snapshot of {@link #CODECS}: links to its files. */
  private static final TableName COPY = TableName.valueOf("copy");

  /** Disabled. */
  private static final TableName RESTING = TableName.valueOf("resting");

  /** Has a MOB family. */
  private static final TableName LARGE = TableName.valueOf("large");

  /** A clone of a snapshot of {@link #LARGE}: its values lie in that one's MOB files. */
  private static final TableName LARGE_COPY = TableName.valueOf("crew", "large");

  /** Its files count because a list names them; so do those of {@link #MADE_BY_CAIRN}. */
  private static final TableName TRACKED = TableName.valueOf("tracked");

  /** Has an index, which HBase does not know. */
  private static final TableName INDEXED = TableName.valueOf("indexed");

  private static final TableName DOOMED = TableName.valueOf("doomed");
  private static final TableName MADE_BY_CAIRN = TableName.valueOf("guests", "made");

  private static final List<TableName> ENABLED =
      List.of(CODECS, KEPT, HALVES, COPY, LARGE, LARGE_COPY, TRACKED, INDEXED);

  @TempDir private Path directory;
  private ServerProcess cairn;
  private HBaseProcess hbase;

  @BeforeEach
  void prepare() throws IOException {
    cairn = new ServerProcess(directory);
    hbase = new HBaseProcess(directory.resolve("hbase"), cairn);
    // Files are to be met as they were written.
    hbase.set("hbase.regionserver.compaction.enabled", "false");
    cairn.set("hbase.hstore.compaction.max", "200");
    for (String key : List.of("hbase.hstore.compaction.min", "hbase.hstore.compactionThreshold")) {
      hbase.set(key, "100");
      cairn.set(key, "100");
    }
    cairn.writeSite();
  }

  @AfterEach
  void end() throws Exception {
    hbase.close();
    cairn.close();
  }

  @Test
  void aFolderIsServedInTurnByHBaseAndCairnAndNothingIsLost() throws Exception {
    Map<TableName, TableImage> written;
    TableImage resting;
    List<String> ofHBase;
    hbase.start();
    try (Connection connection = connect()) {
      fill(connection);
      resting = TableImage.of(connection, RESTING, false);
      try (Admin admin = connection.getAdmin()) {
        admin.disableTable(RESTING);
      }
      putUnflushed(connection, "killed");
      written = images(connection, ENABLED);
    }
    hbase.kill();
    verifyReport();

    cairn.start();
    try (Connection connection = connect();
        Admin admin = connection.getAdmin()) {
      assertThat(images(connection, ENABLED)).isEqualTo(written);
      assertThat(admin.isTableDisabled(RESTING)).isTrue();
      admin.enableTable(RESTING);
      assertThat(TableImage.of(connection, RESTING, false)).isEqualTo(resting);
      assertThat(admin.getNamespaceDescriptor("crew").getConfigurationValue("owner"))
          .isEqualTo("me");

      IndexBuild.await(admin, INDEXED, 2);
      for (String value : List.of("w", "v")) {
        try (Table rows = connection.getTable(INDEXED)) {
          rows.put(List.of(put("row-200", "f", value), put("row-500", "f", value)));
        }
        admin.flush(INDEXED);
      }
      assertThat(filtered(connection)).hasSizeGreaterThan(4);
      changeTables(admin);
      changeLargeValues(connection, admin);
      putUnflushed(connection, "by cairn, and long");
      try (Table table = connection.getTable(MADE_BY_CAIRN)) {
        table.put(put("r", "x", "v"));
        admin.flush(MADE_BY_CAIRN);
        table.put(put("s", "x", "v"));
      }
      admin.flush(TRACKED);
      admin
          .splitRegionAsync(
              admin.getRegions(TRACKED).get(0).getRegionName(), Bytes.toBytes("row-2"))
          .get(SECONDS_MAX, TimeUnit.SECONDS);
      written =
          images(
              connection,
              List.of(
                  CODECS, KEPT, COPY, LARGE, LARGE_COPY, RESTING, TRACKED, MADE_BY_CAIRN, INDEXED));
      admin.disableTable(HALVES);
    }
    assertThat(cairn.terminate(SECONDS_MAX)).isEqualTo(143);

    hbase.forgetZooKeeper();
    hbase.start();
    try (Connection connection = connect();
        Admin admin = connection.getAdmin()) {
      assertThat(images(connection, List.copyOf(written.keySet()))).isEqualTo(written);
      assertThat(admin.isTableDisabled(HALVES)).isTrue();
      assertThat(admin.tableExists(DOOMED)).isFalse();
      assertThat(admin.getNamespaceDescriptor("guests").getConfigurationValue("table"))
          .isEqualTo("white");
      admin.enableTable(HALVES);
      changeIndexed(connection, admin);
      putUnflushed(connection, "by hbase again");
      written =
          images(
              connection,
              List.of(
                  CODECS,
                  KEPT,
                  HALVES,
                  COPY,
                  LARGE,
                  LARGE_COPY,
                  RESTING,
                  TRACKED,
                  MADE_BY_CAIRN,
                  INDEXED));
      ofHBase = filtered(connection);
    }
    hbase.stop(SECONDS_MAX);

    cairn.start();
    try (Connection connection = connect();
        Admin admin = connection.getAdmin()) {
      assertThat(images(connection, List.copyOf(written.keySet()))).isEqualTo(written);
      IndexBuild.await(admin, INDEXED, 2);
      assertThat(images(connection, List.of(INDEXED)))
          .isEqualTo(Map.of(INDEXED, written.get(INDEXED)));
      assertThat(filtered(connection)).isEqualTo(ofHBase);
    }
    assertThat(cairn.terminate(SECONDS_MAX)).isEqualTo(143);
    assertThat(cairn.output().lines().filter(line -> line.contains("ERROR"))).isEmpty();
  }

  /** What {@code bin/cairn import-check} says of the folder, and that looking changes nothing. */
  private void verifyReport() throws IOException {
    Map<String, String> before = contents();
    ImportReport report;
    try (LocalStorage folder = new LocalStorage(cairn.dataFolder())) {
      SiteConfig config = SiteConfigLoader.ofProcess().load(cairn.configFolder());
      report = ImportCheck.inspect(config, folder, Clock.SYSTEM);
    }
    assertThat(contents()).isEqualTo(before);

    assertThat(report.opens()).as("%s", report.findings()).isTrue();
    assertThat(report.findings()).filteredOn(finding -> finding.severity().isRefusal()).isEmpty();
    assertThat(report.layoutVersion()).hasValue("8");
    assertThat(report.namespaces()).containsExactly("crew", "default", "hbase");
    assertThat(report.logs()).extracting(ImportReport.Log::kind).contains(LogKind.META);
    assertThat(report.snapshots())
        .extracting(ImportReport.Snapshot::name)
        .containsOnly("picture", "large-picture");
    Map<String, ImportReport.Table> tables =
        report.tables().stream()
            .collect(Collectors.toMap(table -> table.name().toString(), table -> table));
    assertThat(tables.keySet())
        .containsExactlyInAnyOrder(
            "codecs",
            "copy",
            "crew:kept",
            "crew:large",
            "doomed",
            "halves",
            "hbase:namespace",
            "indexed",
            "large",
            "resting",
            "tracked");
    assertThat(tables.get("halves").splitParents()).isEqualTo(1);
    assertThat(tables.get("halves").references()).isEqualTo(2);
    assertThat(tables.get("copy").links()).isPositive();
    assertThat(tables.get("resting").state()).hasValue(State.DISABLED);
    assertThat(tables.get("codecs").compressions()).containsExactlyInAnyOrder("GZ", "NONE");
    assertThat(tables.get("codecs").fileVersions()).containsOnlyKeys("3.3");
  }

  /** Returns every file of the folder with its size and the time of its last change. */
  private Map<String, String> contents() throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(cairn.dataFolder())) {
      for (Path file : files.toList()) {
        contents.put(
            file.toString(), Files.size(file) + " " + Files.getLastModifiedTime(file).toMillis());
      }
    }
    return contents;
  }

  private Connection connect() throws IOException {
    Configuration client = cairn.patientClient();
    client.set("hbase.client.rpc.codec", "org.apache.hadoop.hbase.codec.KeyValueCodecWithTags");
    return ConnectionFactory.createConnection(client);
  }

  private static Map<TableName, TableImage> images(Connection connection, List<TableName> tables)
      throws IOException {
    Map<TableName, TableImage> images = new TreeMap<>();
    for (TableName table : tables) {
      TableImage image = TableImage.of(connection, table, table.equals(KEPT));
      assertThat(image.cells()).as("cells of %s", table).isNotEmpty();
      images.put(table, image);
    }
    return images;
  }

  private static void fill(Connection connection) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      admin.createNamespace(
          NamespaceDescriptor.create("crew").addConfiguration("owner", "me").build());
      fillCodecs(connection, admin);
      fillKept(connection, admin);
      fillHalves(connection, admin);
      for (TableName table : List.of(RESTING, DOOMED)) {
        admin.createTable(table(table, family("f").build()));
        try (Table rows = connection.getTable(table)) {
          rows.put(put("r", "f", "v"));
        }
      }
      fillLarge(connection, admin);
      admin.createTable(
          TableDescriptorBuilder.newBuilder(table(TRACKED, family("f").build()))
              .setValue("hbase.store.file-tracker.impl", "FILE")
              .build());
      try (Table rows = connection.getTable(TRACKED)) {
        rows.put(put("r", "f", "v"));
        admin.flush(TRACKED);
        rows.put(put("row-3", "f", "v"));
        admin.flush(TRACKED);
        rows.delete(new Delete(Bytes.toBytes("r")));
      }
      fillIndexed(connection, admin);
      admin.snapshot("picture", CODECS);
      admin.cloneSnapshot("picture", COPY);
    }
  }

  /** Two regions with a store file each. */
  private static void fillIndexed(Connection connection, Admin admin) throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(table(INDEXED, family("f").build()))
            .setValue("cairn.index.i", "f:q")
            .build(),
        new byte[][] {Bytes.toBytes("row-300")});
    try (Table rows = connection.getTable(INDEXED)) {
      rows.put(List.of(put("row-100", "f", "v"), put("row-400", "f", "v")));
    }
    admin.flush(INDEXED);
  }

  /**
   * Merges the files of one region, which have an index, and adds a file without one to the other.
   */
  private static void changeIndexed(Connection connection, Admin admin) throws IOException {
    byte[] first = admin.getRegions(INDEXED).get(0).getRegionName();
    admin.majorCompactRegion(first);
    Eventually.holds(
        () -> admin.getCompactionStateForRegion(first) == CompactionState.NONE,
        "HBase has merged the files");
    try (Table rows = connection.getTable(INDEXED)) {
      rows.put(List.of(put("row-450", "f", "v"), put("row-500", "f", "x")));
    }
    admin.flush(INDEXED);
  }

  /** Returns rows that filters let pass, which are the same with each hint to Cairn. */
  private static List<String> filtered(Connection connection) throws IOException {
    List<String> rows = new ArrayList<>();
    try (Table table = connection.getTable(INDEXED)) {
      for (CompareOperator operator :
          List.of(CompareOperator.EQUAL, CompareOperator.LESS, CompareOperator.GREATER)) {
        for (String value : List.of("v", "w")) {
          SingleColumnValueFilter filter =
              new SingleColumnValueFilter(
                  Bytes.toBytes("f"), Bytes.toBytes("q"), operator, Bytes.toBytes(value));
          filter.setFilterIfMissing(true);
          rows.add(operator + " " + value);
          rows.addAll(IndexedAnswers.same(table, new Scan().setFilter(filter)));
        }
      }
    }
    return rows;
  }

  private static void fillCodecs(Connection connection, Admin admin) throws IOException {
    List<ColumnFamilyDescriptor> families = new ArrayList<>();
    for (DataBlockEncoding encoding : DataBlockEncoding.values()) {
      families.add(
          family(encoding.name().toLowerCase(Locale.ROOT))
              .setDataBlockEncoding(encoding)
              .setMaxVersions(3)
              .build());
    }
    families.add(
        family("gz")
            .setCompressionType(Compression.Algorithm.GZ)
            .setBloomFilterType(BloomType.ROWCOL)
            .build());
    admin.createTable(
        table(CODECS, families.toArray(ColumnFamilyDescriptor[]::new)),
        new byte[][] {Bytes.toBytes("row-2"), Bytes.toBytes("row-4")});
    try (Table table = connection.getTable(CODECS)) {
      for (int version = 1; version <= 3; version++) {
        List<Put> puts = new ArrayList<>();
        for (int row = 0; row < 600; row++) {
          Put put = new Put(Bytes.toBytes("row-%03d".formatted(row)), version * 1000L + row);
          for (ColumnFamilyDescriptor family : families) {
            put.addColumn(family.getName(), Q, Bytes.toBytes("value " + version + " of " + row));
          }
          puts.add(put);
        }
        table.put(puts);
        if (version < 3) {
          admin.flush(CODECS);
        }
      }
      table.delete(new Delete(Bytes.toBytes("row-100")));
    }
  }

  private static void fillKept(Connection connection, Admin admin) throws IOException {
    admin.createTable(
        table(
            KEPT,
            family("k").setMaxVersions(100).setKeepDeletedCells(KeepDeletedCells.TRUE).build()));
    try (Table table = connection.getTable(KEPT)) {
      for (int round = 0; round < 3; round++) {
        long timestamp = 1000L + 10 * round;
        table.put(
            new Put(Bytes.toBytes("a"), timestamp)
                .addColumn(Bytes.toBytes("k"), Q, Bytes.toBytes("v" + round)));
        Put living = new Put(Bytes.toBytes("b"));
        living.addColumn(Bytes.toBytes("k"), Q, Bytes.toBytes("living"));
        table.put(living.setTTL(86_400_000));
        table.delete(
            switch (round) {
              case 0 -> new Delete(Bytes.toBytes("a")).addColumn(Bytes.toBytes("k"), Q, timestamp);
              case 1 ->
                  new Delete(Bytes.toBytes("a"))
                      .addColumns(Bytes.toBytes("k"), Bytes.toBytes("other"), timestamp);
              default -> new Delete(Bytes.toBytes("a")).addFamilyVersion(Bytes.toBytes("k"), 1010L);
            });
        if (round == 1) {
          admin.flush(KEPT);
        }
      }
    }
  }

  private static void fillLarge(Connection connection, Admin admin) throws IOException {
    admin.createTable(
        table(
            LARGE, family("m").setMobEnabled(true).setMobThreshold(10).setMaxVersions(3).build()));
    try (Table rows = connection.getTable(LARGE)) {
      rows.put(put("r", "m", "more than ten bytes"));
      rows.put(put("s", "m", "ten bytes."));
      admin.flush(LARGE);
      rows.put(put("r", "m", "more than ten bytes again"));
      rows.put(put("t", "m", "a value to be deleted"));
      admin.flush(LARGE);
      rows.put(put("u", "m", "a value in the memory").setTTL(86_400_000));
    }
    admin.snapshot("large-picture", LARGE);
    admin.cloneSnapshot("large-picture", LARGE_COPY);
  }

  /** Has Cairn write MOB files, from memory and out of those that HBase wrote. */
  private static void changeLargeValues(Connection connection, Admin admin) throws Exception {
    for (TableName name : List.of(LARGE, LARGE_COPY)) {
      try (Table rows = connection.getTable(name)) {
        rows.append(
            new Append(Bytes.toBytes("r"))
                .addColumn(Bytes.toBytes("m"), Q, Bytes.toBytes(", and more")));
        rows.delete(new Delete(Bytes.toBytes("t")));
        admin.flush(name);
        rows.put(put("v", "m", "written by Cairn in " + name));
      }
    }
    admin.flush(LARGE);
    long before = admin.getLastMajorCompactionTimestamp(LARGE);
    admin.majorCompact(LARGE);
    Eventually.holds(
        () -> admin.getLastMajorCompactionTimestamp(LARGE) != before, LARGE + " is compacted");
  }

  private static void fillHalves(Connection connection, Admin admin) throws Exception {
    admin.createTable(table(HALVES, family("f").build()));
    try (Table table = connection.getTable(HALVES)) {
      List<Put> puts = new ArrayList<>();
      for (int row = 0; row < 500; row++) {
        puts.add(put("row-%03d".formatted(row), "f", "v" + row));
      }
      table.put(puts);
    }
    admin.flush(HALVES);
    byte[] parent = admin.getRegions(HALVES).get(0).getRegionName();
    admin.splitRegionAsync(parent, Bytes.toBytes("row-250")).get();
    assertThat(admin.getRegions(HALVES)).hasSize(2);
  }

  /** Writes to all tables what only the log has. */
  private static void putUnflushed(Connection connection, String value) throws IOException {
    for (TableName name : ENABLED) {
      try (Table table = connection.getTable(name)) {
        String family =
            Bytes.toString(table.getDescriptor().getColumnFamilyNames().iterator().next());
        table.put(
            Arrays.asList(
                put("row-050 " + value, family, value),
                put("row-350 " + value, family, value),
                put("row-550 " + value, family, value)));
      }
    }
  }

  private static void changeTables(Admin admin) throws IOException {
    admin.createNamespace(
        NamespaceDescriptor.create("guests").addConfiguration("table", "white").build());
    admin.createTable(
        TableDescriptorBuilder.newBuilder(
                table(MADE_BY_CAIRN, family("x").setMaxVersions(4).build()))
            .setValue("hbase.store.file-tracker.impl", "FILE")
            .build(),
        new byte[][] {Bytes.toBytes("m")});
    admin.addColumnFamily(KEPT, family("added").build());
    admin.disableTable(DOOMED);
    admin.deleteTable(DOOMED);
  }

  private static TableDescriptor table(TableName name, ColumnFamilyDescriptor... families) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamilies(Arrays.asList(families))
        .build();
  }

  private static ColumnFamilyDescriptorBuilder family(String name) {
    return ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(name));
  }

  private static Put put(String row, String family, String value) {
    return new Put(Bytes.toBytes(row)).addColumn(Bytes.toBytes(family), Q, Bytes.toBytes(value));
  }
}
