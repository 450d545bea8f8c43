package dev.cairn.interop.backup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Restores a random history of a table, with flushes, compactions, splits, merges and bulk loads,
 * to random moments. Each restored table equals the scan at that moment, except for loaded cells
 * that a dropped marker covers (see {@code docs/operations/backup.md}). {@code
 * -Dcairn.time.moments=100} is the long form, which takes three to four minutes. {@code
 * -Dcairn.time.seed} repeats a history.
 */
class BackInTimeTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final int MOMENTS = Integer.getInteger("cairn.time.moments", 3);
  private static final long SEED = Long.getLong("cairn.time.seed", System.nanoTime() & 0xFFFFFF);

  private static final byte[] COLUMN = {'a'};
  private static final Scan VISIBLE = new Scan().readAllVersions();
  private static final Scan RAW = new Scan().readAllVersions().setRaw(true);
  private static final String LOADED = "loaded";

  /** How old loaded cells may be. */
  private static final int PAST_MILLIS = 5_000;

  /** Has limited versions; single versions are not deleted from it. */
  private static final byte[] LIMITED = Bytes.toBytes("limited");

  private static final List<byte[]> FAMILIES = List.of(BackupSite.F, BackupSite.G, LIMITED);

  @TempDir Path folder;

  private int loads;

  /**
   * What scans returned at a moment.
   *
   * @param raw with markers
   */
  private record Seen(long millis, List<Cell> cells, List<Cell> raw) {
    /** Returns the markers of the restored table that a compaction had dropped by this moment. */
    List<Cell> droppedMarkers(List<Cell> restored) {
      List<Cell> dropped = new ArrayList<>(restored.stream().filter(CellUtil::isDelete).toList());
      dropped.removeAll(raw);
      return dropped;
    }

    /**
     * Returns the cells, except loaded cells that a dropped marker covers. Of the differences that
     * {@code docs/operations/backup.md} documents, these histories reach only this one.
     */
    List<Cell> without(List<Cell> droppedMarkers) {
      return cells.stream()
          .filter(
              cell ->
                  !isLoaded(cell)
                      || droppedMarkers.stream().noneMatch(marker -> covers(marker, cell)))
          .toList();
    }

    private static boolean isLoaded(Cell cell) {
      return Bytes.toString(CellUtil.cloneValue(cell)).startsWith(LOADED);
    }

    private static boolean covers(Cell marker, Cell cell) {
      return switch (marker.getType()) {
        case DeleteFamily ->
            CellUtil.matchingRows(marker, cell)
                && CellUtil.matchingFamily(marker, cell)
                && cell.getTimestamp() <= marker.getTimestamp();
        case DeleteColumn ->
            CellUtil.matchingRowColumn(marker, cell)
                && cell.getTimestamp() <= marker.getTimestamp();
        case Delete ->
            CellUtil.matchingRowColumn(marker, cell)
                && cell.getTimestamp() == marker.getTimestamp();
        default -> throw new AssertionError("not written here: " + marker);
      };
    }
  }

  @Test
  void aTableIsRestoredAsItWasAtEachMoment() throws Exception {
    System.out.println("BackInTimeTest: seed " + SEED);
    Random random = new Random(SEED);
    List<Seen> seen = new ArrayList<>();
    try (BackupSite site = new BackupSite(folder, "data", folder.resolve("backups"))) {
      site.createTable(TABLE, "row3", "row6");
      try (Admin admin = site.connection().getAdmin()) {
        admin.addColumnFamily(
            TABLE, ColumnFamilyDescriptorBuilder.newBuilder(LIMITED).setMaxVersions(2).build());
      }
      change(site, random, 20);
      site.backUp(TABLE);
      for (int moment = 0; moment < Math.max(8, MOMENTS); moment++) {
        change(site, random, 1 + random.nextInt(20));
        disturb(site, random);
        long now = BackupSite.nextMillis() - 1;
        seen.add(new Seen(now, site.scan(TABLE, VISIBLE), site.scan(TABLE, RAW)));
        BackupSite.nextMillis();
        if (random.nextInt(4) == 0) {
          change(site, random, 3);
          site.backUp(
              random.nextInt(3) == 0 ? new Object[] {TABLE, "--full"} : new Object[] {TABLE});
        }
      }
      site.backUp(TABLE);
      change(site, random, 10);
      Collections.shuffle(seen, random);
      try (Admin admin = site.connection().getAdmin()) {
        admin.compactionSwitch(false, List.of()); // restored tables keep their markers
      }
      for (int i = 0; i < MOMENTS; i++) {
        TableName restored = TableName.valueOf("restored" + i);
        site.succeed("restore", TABLE, "--to=" + seen.get(i).millis(), "--as=" + restored);
        long millis = seen.get(i).millis();
        List<Cell> raw = site.scan(restored, RAW);
        assertThat(raw).as("seed %d", SEED).allMatch(cell -> cell.getTimestamp() <= millis);
        List<Cell> markers = seen.get(i).droppedMarkers(raw);
        assertThat(site.visible(restored))
            .as("seed %d, moment %d", SEED, millis)
            .isEqualTo(BackupSite.texts(seen.get(i).without(markers)));
        try (Admin admin = site.connection().getAdmin()) {
          admin.disableTable(restored);
          admin.deleteTable(restored);
        }
      }
      assertThat(site.succeed("verify").out()).doesNotContain("DAMAGED");
    }
  }

  private static void change(BackupSite site, Random random, int count) throws IOException {
    try (Table table = site.connection().getTable(TABLE)) {
      for (int i = 0; i < count; i++) {
        byte[] row = Bytes.toBytes("row" + random.nextInt(10));
        byte[] family = FAMILIES.get(random.nextInt(FAMILIES.size()));
        byte[] column = {(byte) ('a' + random.nextInt(3))};
        byte[] value = new byte[random.nextInt(20)];
        random.nextBytes(value);
        switch (random.nextInt(9)) {
          case 0 -> table.delete(new Delete(row));
          case 1 -> table.delete(new Delete(row).addFamily(family));
          case 2 -> table.delete(new Delete(row).addColumns(family, column));
          case 3 -> deleteVersion(table, row, random);
          case 4 -> table.increment(new Increment(row).addColumn(family, Bytes.toBytes("n"), 5));
          case 5 -> table.append(new Append(row).addColumn(family, Bytes.toBytes("x"), value));
          case 6 ->
              table.put(
                  List.of(
                      new Put(row).addColumn(family, column, value),
                      new Put(Bytes.toBytes("row" + random.nextInt(10)))
                          .addColumn(family, column, value)));
          default -> table.put(new Put(row).addColumn(family, column, value));
        }
      }
    }
  }

  /** Deletes one version, as a scan shows it. */
  private static void deleteVersion(Table table, byte[] row, Random random) throws IOException {
    Result result =
        table.get(new Get(row).addFamily(BackupSite.F).addFamily(BackupSite.G).readAllVersions());
    if (!result.isEmpty()) {
      Cell cell = result.rawCells()[random.nextInt(result.size())];
      table.delete(
          new Delete(row)
              .addColumn(
                  CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell), cell.getTimestamp()));
    }
  }

  private void disturb(BackupSite site, Random random) throws Exception {
    try (Admin admin = site.connection().getAdmin()) {
      switch (random.nextInt(11)) {
        case 0, 1 -> admin.flush(TABLE);
        case 2 -> admin.compact(TABLE);
        case 3 -> {
          admin.flush(TABLE);
          admin.majorCompact(TABLE);
        }
        case 4 -> split(admin, random);
        case 5 -> site.restart();
        case 6, 7 -> merge(admin, random);
        case 8 -> load(site, random);
        default -> {
          // nothing
        }
      }
    }
  }

  private static void split(Admin admin, Random random) throws Exception {
    byte[] key = Bytes.toBytes("row" + random.nextInt(10));
    for (RegionInfo region : admin.getRegions(TABLE)) {
      if (region.containsRow(key) && Bytes.compareTo(region.getStartKey(), key) < 0) {
        try {
          admin.splitRegionAsync(region.getRegionName(), key).get();
        } catch (DoNotRetryIOException e) {
          // The region may still need the files of the region that it was part of.
          assertThat(e).hasMessageContaining("references");
        }
        return;
      }
    }
  }

  private static void merge(Admin admin, Random random) throws Exception {
    List<RegionInfo> regions = admin.getRegions(TABLE);
    if (regions.size() < 2) {
      return;
    }
    int left = random.nextInt(regions.size() - 1);
    byte[][] names = {regions.get(left).getRegionName(), regions.get(left + 1).getRegionName()};
    try {
      admin.mergeRegionsAsync(names, false).get();
    } catch (DoNotRetryIOException e) {
      // A region may still need the files of the region that it was part of.
      assertThat(e).hasMessageContaining("references");
    }
  }

  private void load(BackupSite site, Random random) throws IOException {
    List<Cell> cells = new ArrayList<>();
    for (int row = 0; row < 10; row++) {
      byte[] value = Bytes.toBytes(LOADED + random.nextInt());
      long timestamp = System.currentTimeMillis() - random.nextInt(PAST_MILLIS);
      cells.add(new KeyValue(Bytes.toBytes("row" + row), BackupSite.F, COLUMN, timestamp, value));
    }
    site.load(TABLE, folder.resolve("load" + ++loads), cells.toArray(Cell[]::new));
  }
}
