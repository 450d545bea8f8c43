package dev.cairn.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.RegionContext;
import dev.cairn.engine.region.lifecycle.RegionSplit;
import dev.cairn.engine.region.state.RegionSettings;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.file.SyncLevel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTracker;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTrackerFactory;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Regions that Cairn splits are opened by Apache HBase's own region, and the other way round:
 * references to halves, links to whole files, back references.
 */
class SplitInteropTest {
  private static final TableName TABLE = TableName.parse("ns:t");
  private static final RegionInfo PARENT = new RegionInfo(TABLE, Bytes.EMPTY, Bytes.EMPTY, 1000);
  private static final TableSchema SCHEMA =
      TableSchema.of(TABLE, FamilySchema.of("f"), FamilySchema.of("g"));
  private static final TableDescriptor DESCRIPTOR =
      TableDescriptorBuilder.newBuilder(apache(TABLE))
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of("g"))
          .build();

  @TempDir Path root;
  private Storage storage;
  private Wal wal;
  private RegionContext context;
  private Configuration configuration;
  private FileSystem files;
  private WALFactory wals;

  @BeforeEach
  void open() throws IOException {
    storage = new LocalStorage(root);
    wal =
        GroupCommitWal.open(
            storage,
            new WalConfig("WALs/cairn", "oldWALs", "cairn", SyncLevel.SYNCED, 1 << 20, 4),
            Clock.SYSTEM,
            runnable -> new Thread(runnable, "test-wal"),
            WalListener.NONE);
    context =
        new RegionContext(
            "data",
            wal,
            new StoreContext(
                storage,
                new BlockCache(1 << 20, Runnable::run),
                Clock.SYSTEM,
                () -> UUID.randomUUID().toString().replace("-", ""),
                EngineListener.NONE,
                StoreSettings.DEFAULTS),
            RegionSettings.DEFAULTS);
    configuration = HBaseConfiguration.create();
    configuration.set("hbase.rootdir", root.toUri().toString());
    configuration.set("hbase.wal.provider", "filesystem");
    configuration.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    configuration.setBoolean("hbase.hregion.memstore.mslab.enabled", false);
    files = FileSystem.getLocal(configuration); // with its .crc files, as standalone
    wals = new WALFactory(configuration, "apache,1,1");
  }

  @AfterEach
  void close() throws IOException {
    wals.close();
    wal.close();
  }

  @Test
  void apacheOpensTheDaughtersThatCairnMakes() throws IOException {
    Region parent = Region.open(PARENT, SCHEMA, context);
    for (String row : List.of("a", "b", "c", "x", "y")) {
      put(parent, row, "f");
    }
    put(parent, "x", "g");
    parent.flush();
    put(parent, "b", "g");
    parent.flush();
    List<String> before = cellsOf(parent);
    RegionSplit split = RegionSplit.plan(parent, Bytes.utf8("c"));
    split.run(parent);

    List<String> seen = new ArrayList<>();
    for (RegionInfo daughter : List.of(split.lower(), split.upper())) {
      HRegion region = openApache(daughter);
      try {
        assertThat(region.hasReferences()).isTrue();
        seen.addAll(cellsOf(region));
        assertThat(region.getMaxStoreSeqId().values()).allMatch(sequence -> sequence > 0);
        region.compact(true);
      } finally {
        region.close();
      }
    }
    assertThat(seen).isEqualTo(before);

    List<Storage.FileInfo> links = links(split);
    assertThat(links).hasSize(2);
    for (Storage.FileInfo backReference : links) {
      org.apache.hadoop.fs.Path hfile =
          HFileLink.getHFileFromBackReference(hadoop(""), hadoop(backReference.path()));
      assertThat(HFileLink.isHFileLink(hfile)).isTrue();
    }
    // What Apache's compactions made of them is Cairn's again.
    assertThat(cellsOfDaughters(split.lower(), split.upper())).isEqualTo(before);
  }

  @Test
  void cairnOpensTheDaughtersThatApacheMakes() throws IOException {
    HRegion parent =
        HRegion.createHRegion(
            apache(PARENT), hadoop(""), configuration, DESCRIPTOR, wals.getWAL(apache(PARENT)));
    for (String row : List.of("a", "b", "c", "x", "y")) {
      parent.put(apachePut(row, "f"));
    }
    parent.put(apachePut("x", "g"));
    parent.flush(true);
    parent.put(apachePut("b", "g"));
    parent.flush(true);
    List<String> before = cellsOf(parent);
    long last = parent.getStore(Bytes.utf8("f")).getMaxSequenceId().orElseThrow();
    parent.close();
    RegionInfo lower = new RegionInfo(TABLE, Bytes.EMPTY, Bytes.utf8("c"), 2000);
    RegionInfo upper = new RegionInfo(TABLE, Bytes.utf8("c"), Bytes.EMPTY, 2000);
    splitWithApache(lower, upper);

    assertThat(cellsOfDaughters(lower, upper)).isEqualTo(before);
    Region opened = Region.open(upper, SCHEMA, context);
    assertThat(opened.readPoint()).isEqualTo(last + 1);
    assertThat(opened.hasReferences()).isTrue();
    opened.compact(true);
    assertThat(opened.hasReferences()).isFalse();
    opened.close(false);
    assertThat(cellsOfDaughters(lower, upper)).isEqualTo(before);
  }

  private void splitWithApache(RegionInfo lower, RegionInfo upper) throws IOException {
    HRegionFileSystem region =
        HRegionFileSystem.openRegionFromFileSystem(
            configuration,
            files,
            hadoop(RegionDirectory.ofTable("data", TABLE)),
            apache(PARENT),
            false);
    region.createSplitsDir(apache(lower), apache(upper));
    for (String family : List.of("f", "g")) {
      StoreFileTracker tracker =
          StoreFileTrackerFactory.create(
              configuration,
              true,
              org.apache.hadoop.hbase.regionserver.StoreContext.getBuilder()
                  .withColumnFamilyDescriptor(DESCRIPTOR.getColumnFamily(Bytes.utf8(family)))
                  .withRegionFileSystem(region)
                  .withFamilyStoreDirectoryPath(region.getStoreDir(family))
                  .build());
      for (StoreFileInfo info : tracker.load()) {
        for (boolean top : new boolean[] {false, true}) {
          HStoreFile file =
              new HStoreFile(
                  info,
                  org.apache.hadoop.hbase.regionserver.BloomType.NONE,
                  org.apache.hadoop.hbase.io.hfile.CacheConfig.DISABLED);
          region.splitStoreFile(
              apache(top ? upper : lower), family, file, Bytes.utf8("c"), top, null, tracker);
        }
      }
    }
  }

  private List<Storage.FileInfo> links(RegionSplit split) throws IOException {
    List<Storage.FileInfo> found = new ArrayList<>();
    String archive = "archive/" + RegionDirectory.of("data", split.parent()).path();
    for (Storage.FileInfo family : storage.list(archive)) {
      for (Storage.FileInfo links : storage.list(family.path())) {
        found.addAll(storage.list(links.path()));
      }
    }
    return found;
  }

  private HRegion openApache(RegionInfo region) throws IOException {
    return HRegion.openHRegion(
        configuration, files, hadoop(""), apache(region), DESCRIPTOR, wals.getWAL(apache(region)));
  }

  private List<String> cellsOfDaughters(RegionInfo lower, RegionInfo upper) throws IOException {
    List<String> cells = new ArrayList<>();
    for (RegionInfo daughter : List.of(lower, upper)) {
      Region region = Region.open(daughter, SCHEMA, context);
      cells.addAll(cellsOf(region));
      region.close(false);
    }
    return cells;
  }

  private static List<String> cellsOf(Region region) throws IOException {
    List<String> cells = new ArrayList<>();
    CellBuffer row = new CellBuffer();
    try (RegionRead read = region.read(ScanRequest.builder().build(), ReadBudget.WHOLE_ROWS)) {
      while (read.next(row, ReadBudget.WHOLE_ROWS) != ScanProgress.END) {
        for (int i = 0; i < row.size(); i++) {
          Cell cell = row.get(i);
          cells.add(Bytes.utf8(cell.row()) + "/" + Bytes.utf8(cell.family()));
        }
        row.clear();
      }
    }
    return cells;
  }

  private static List<String> cellsOf(HRegion region) throws IOException {
    List<String> cells = new ArrayList<>();
    try (var scanner = region.getScanner(new Scan())) {
      List<org.apache.hadoop.hbase.Cell> row = new ArrayList<>();
      boolean more = true;
      while (more) {
        more = scanner.next(row);
        for (org.apache.hadoop.hbase.Cell cell :
            Result.create(row).listCells() == null
                ? List.<org.apache.hadoop.hbase.Cell>of()
                : row) {
          cells.add(
              Bytes.utf8(CellUtil.cloneRow(cell)) + "/" + Bytes.utf8(CellUtil.cloneFamily(cell)));
        }
        row.clear();
      }
    }
    return cells;
  }

  private static void put(Region region, String row, String family) throws IOException {
    CellBuffer cells = new CellBuffer();
    cells.add(
        Bytes.utf8(row),
        Bytes.utf8(family),
        Bytes.utf8("q"),
        Cell.LATEST_TIMESTAMP,
        CellType.PUT.code(),
        Bytes.utf8("value"),
        Bytes.EMPTY);
    region.write(Mutation.put(Bytes.utf8(row), cells), WriteBudget.UNLIMITED).join();
  }

  private static Put apachePut(String row, String family) {
    return new Put(Bytes.utf8(row))
        .addColumn(Bytes.utf8(family), Bytes.utf8("q"), Bytes.utf8("value"));
  }

  private org.apache.hadoop.fs.Path hadoop(String path) {
    return new org.apache.hadoop.fs.Path(root.resolve(path).toUri());
  }

  private static org.apache.hadoop.hbase.TableName apache(TableName table) {
    return org.apache.hadoop.hbase.TableName.valueOf(table.namespace(), table.qualifier());
  }

  private static org.apache.hadoop.hbase.client.RegionInfo apache(RegionInfo region) {
    return RegionInfoBuilder.newBuilder(apache(region.table()))
        .setStartKey(region.startKey())
        .setEndKey(region.endKey())
        .setRegionId(region.regionId())
        .build();
  }
}
