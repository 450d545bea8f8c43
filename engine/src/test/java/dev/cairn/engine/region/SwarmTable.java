package dev.cairn.engine.region;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.hostile.HostileBytes;
import dev.cairn.engine.region.bulkload.BulkLoadRequest;
import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.StoreFileHook;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * A table drawn from a seed, with a simple model of its cells. The seed switches features off: some
 * tables have one family, one version, only puts, and up to 10,000 rows; others have everything.
 * Timestamps grow with each write, so the model needs no rule but "the newest versions since the
 * last delete".
 */
final class SwarmTable implements AutoCloseable {
  /** Half of the memstore size at which a region of the harness refuses writes. */
  private static final long MEMSTORE_BYTES_MAX = 512 << 10;

  private static final List<String> ENCODINGS =
      List.of("NONE", "NONE", "PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1");

  /** A cell that a read must return. */
  record Expected(byte[] row, byte[] family, byte[] qualifier, byte[] value) {
    boolean isShownBy(Cell cell) {
      return Arrays.equals(row, cell.row())
          && Arrays.equals(family, cell.family())
          && Arrays.equals(qualifier, cell.qualifier())
          && Arrays.equals(value, cell.value());
    }

    @Override
    public String toString() {
      return Bytes.toStringBinary(row)
          + "/"
          + Bytes.utf8(family)
          + ":"
          + Bytes.toStringBinary(qualifier)
          + "="
          + Bytes.toStringBinary(value);
    }
  }

  private final Random random;
  private final HostileBytes keys;
  private final List<FamilySchema> families = new ArrayList<>();
  private final boolean deletes;
  private final boolean splits;
  private final boolean loads;

  /** True if flushes and compactions keep all versions, so that reads may ask for more. */
  private final boolean keepsVersions;

  private final TableHarness table;
  private int writes;
  private int files;

  /** By row, family and qualifier: the values of a column, newest first. */
  private final NavigableMap<byte[], Map<byte[], NavigableMap<byte[], List<byte[]>>>> model =
      new TreeMap<>(Arrays::compareUnsigned);

  SwarmTable(Random random) throws IOException {
    this.random = random;
    int[] rows = {3, 7, 30, 100, 500, 3000};
    this.keys =
        HostileBytes.draw(random, rows[random.nextInt(rows.length)], random.nextBoolean() ? 1 : 20);
    boolean plain = random.nextBoolean();
    for (String name : plain || random.nextBoolean() ? List.of("f") : List.of("f", "g", "gg")) {
      Map<String, String> attributes = new TreeMap<>();
      attributes.put("VERSIONS", plain ? "1" : "" + (1 + random.nextInt(3)));
      attributes.put("BLOCKSIZE", random.nextBoolean() ? "200" : "4096");
      attributes.put("DATA_BLOCK_ENCODING", ENCODINGS.get(random.nextInt(ENCODINGS.size())));
      attributes.put("BLOOMFILTER", random.nextBoolean() ? "ROW" : "ROWCOL");
      families.add(FamilySchema.of(name, attributes));
    }
    this.deletes = !plain && random.nextBoolean();
    this.splits = random.nextInt(3) == 0;
    this.loads = random.nextInt(3) == 0;
    this.keepsVersions = random.nextInt(3) == 0;
    this.table =
        new TableHarness(
            TableSchema.of(TableName.parse("t"), families.toArray(FamilySchema[]::new)),
            keepsVersions ? new AllVersions() : StoreFileHook.NONE);
  }

  /** Keeps more than the families ask for. */
  private static final class AllVersions implements StoreFileHook {
    @Override
    public Retention retention(Rewrite rewrite, Retention stored) {
      return new Retention(
              withVersions(rewrite.family(), Integer.MAX_VALUE), stored.purgeDeletesAfterMillis())
          .deleting(SuppliedRules.CLASSIC);
    }
  }

  private static FamilySchema withVersions(FamilySchema family, int versions) {
    Map<String, String> attributes = new TreeMap<>(family.attributes());
    attributes.put("VERSIONS", "" + versions);
    return FamilySchema.of(family.nameAsString(), attributes);
  }

  /** Draws the families that a read takes the stored ones for: some have more or fewer versions. */
  UnaryOperator<FamilySchema> retention() {
    if (random.nextInt(3) > 0) {
      return ScanRequest.AS_STORED;
    }
    int drawn = 1 + random.nextInt(4);
    return family ->
        withVersions(family, keepsVersions ? drawn : Math.min(drawn, family.maxVersions()));
  }

  HostileBytes keys() {
    return keys;
  }

  List<FamilySchema> families() {
    return families;
  }

  RegionHarness.TickingClock clock() {
    return table.clock;
  }

  List<Region> regions() {
    return table.regions();
  }

  /** Writes, deletes or loads some cells. */
  void write() throws IOException {
    for (Region region : regions()) {
      if (region.memStoreBytes() > MEMSTORE_BYTES_MAX) {
        region.flush(FlushScope.ALL);
      }
    }
    if (loads && random.nextInt(3) == 0) {
      load();
      return;
    }
    Map<byte[], Mutation> batch = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = random.nextInt(10); i >= 0; i--) {
      byte[] row = keys.row(random);
      if (!batch.containsKey(row)) {
        batch.put(row, deletes && random.nextInt(6) == 0 ? delete(row) : put(row));
      }
    }
    table.write(List.copyOf(batch.values()));
  }

  private Mutation put(byte[] row) {
    CellBuffer cells = new CellBuffer();
    for (FamilySchema family : families) {
      NavigableMap<byte[], byte[]> columns = new TreeMap<>(Arrays::compareUnsigned);
      for (int i = random.nextInt(families.size() == 1 ? 3 : 4); i > 0; i--) {
        columns.put(keys.qualifier(random), value());
      }
      if (cells.isEmpty() && columns.isEmpty()) {
        columns.put(keys.qualifier(random), value());
      }
      columns.forEach(
          (qualifier, value) -> {
            cells.add(
                row,
                family.name(),
                qualifier,
                Cell.LATEST_TIMESTAMP,
                CellType.PUT.code(),
                value,
                Bytes.EMPTY);
            remember(row, family, qualifier, value);
          });
    }
    return Mutation.put(row, cells);
  }

  private byte[] value() {
    return keys.value(random, Bytes.ofInt(++writes));
  }

  private void remember(byte[] row, FamilySchema family, byte[] qualifier, byte[] value) {
    model
        .computeIfAbsent(row, key -> new TreeMap<>(Arrays::compareUnsigned))
        .computeIfAbsent(family.name(), key -> new TreeMap<>(Arrays::compareUnsigned))
        .computeIfAbsent(qualifier, key -> new ArrayList<>())
        .add(0, value);
  }

  private Mutation delete(byte[] row) {
    Map<byte[], NavigableMap<byte[], List<byte[]>>> known =
        model.containsKey(row) ? model.get(row) : new TreeMap<>(Arrays::compareUnsigned);
    if (random.nextInt(3) == 0) {
      model.remove(row);
      return Mutation.delete(row, new CellBuffer());
    }
    FamilySchema family = families.get(random.nextInt(families.size()));
    byte[] qualifier = keys.qualifier(random);
    CellType type = random.nextBoolean() ? CellType.DELETE_FAMILY : CellType.DELETE_COLUMN;
    if (type == CellType.DELETE_FAMILY) {
      qualifier = Bytes.EMPTY;
      known.remove(family.name());
    } else if (known.containsKey(family.name())) {
      known.get(family.name()).remove(qualifier);
    }
    CellBuffer cells = new CellBuffer();
    cells.add(
        row,
        family.name(),
        qualifier,
        Cell.LATEST_TIMESTAMP,
        type.code(),
        Bytes.EMPTY,
        Bytes.EMPTY);
    return Mutation.delete(row, cells);
  }

  /** Loads a file into one region. */
  private void load() throws IOException {
    Region region = regions().get(random.nextInt(regions().size()));
    FamilySchema family = families.get(random.nextInt(families.size()));
    NavigableMap<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = 0; i < 20; i++) {
      byte[] row = keys.row(random);
      if (region.info().contains(row)) {
        rows.put(row, value());
      }
    }
    if (rows.isEmpty()) {
      return;
    }
    files++;
    String path = "staging/" + files + "/" + Bytes.utf8(family.name()) + "/1";
    byte[] qualifier = keys.qualifier(random);
    long now = table.clock.currentTimeMillis();
    HFileOptions options = HFileOptions.of(family, CellComparator.USER);
    try (HFileWriter writer = new HFileWriter(table.memory(), path, options, table.clock)) {
      for (Map.Entry<byte[], byte[]> row : rows.entrySet()) {
        writer.append(Cell.put(row.getKey(), family.name(), qualifier, now, row.getValue()));
        remember(row.getKey(), family, qualifier, row.getValue());
      }
      writer.finish();
    }
    region.bulkLoad(
        new BulkLoadRequest(
            Integer.toHexString(files),
            List.of(new BulkLoadRequest.File(family.name(), path)),
            BulkLoadRequest.Sequence.NEW,
            BulkLoadRequest.Check.ALL));
  }

  /** Flushes or compacts a region. */
  void keepHouse() throws IOException {
    Region region = regions().get(random.nextInt(regions().size()));
    switch (random.nextInt(6)) {
      case 0 -> region.compact(false);
      case 1 -> region.compact(true);
      default -> region.flush(FlushScope.ALL);
    }
  }

  /** Splits a region or opens all regions again; no read may be open. */
  void rebuild() throws IOException {
    byte[] row = keys.row(random);
    Region region = table.regionOf(row);
    if (!splits || regions().size() > 4 || random.nextInt(4) == 0) {
      table.restart();
    } else if (!Arrays.equals(region.info().startKey(), row) && !region.hasReferences()) {
      table.split(row);
    }
  }

  /** Returns the cells that a read of a region must return now. */
  List<Expected> expected(ScanRequest request, Region region) {
    NavigableMap<byte[], Map<byte[], NavigableMap<byte[], List<byte[]>>>> rows = model;
    byte[] end = region.info().endKey();
    rows = rows.tailMap(region.info().startKey(), true);
    rows = end.length == 0 ? rows : rows.headMap(end, false);
    rows = request.reversed() ? rows.descendingMap() : rows;
    List<Expected> cells = new ArrayList<>();
    rows.forEach(
        (row, columns) -> {
          if (isInRange(request, row)) {
            addRow(request, row, columns, cells);
          }
        });
    return cells;
  }

  private static boolean isInRange(ScanRequest request, byte[] row) {
    int direction = request.reversed() ? -1 : 1;
    int start = direction * Arrays.compareUnsigned(row, request.startRow());
    int stop = direction * Arrays.compareUnsigned(row, request.stopRow());
    return (request.startRow().length == 0 || start > 0 || start == 0 && request.includeStart())
        && (request.stopRow().length == 0 || stop < 0 || stop == 0 && request.includeStop());
  }

  private void addRow(
      ScanRequest request,
      byte[] row,
      Map<byte[], NavigableMap<byte[], List<byte[]>>> columns,
      List<Expected> cells) {
    for (FamilySchema family : families) {
      byte[] name = family.name();
      boolean wanted = request.families().isEmpty() || request.families().containsKey(name);
      if (!wanted || !columns.containsKey(name)) {
        continue;
      }
      int kept = request.retention().apply(family).maxVersions();
      int most = Math.min(request.maxVersions(), kept);
      columns
          .get(name)
          .forEach(
              (qualifier, values) -> {
                if (request.families().isEmpty()
                    || request.families().get(name).qualifiers().isEmpty()
                    || request.families().get(name).qualifiers().contains(qualifier)) {
                  values.stream()
                      .limit(most)
                      .forEach(value -> cells.add(new Expected(row, name, qualifier, value)));
                }
              });
    }
  }

  @Override
  public void close() {
    table.close();
  }

  @Override
  public String toString() {
    return keys
        + ", families "
        + families
        + (deletes ? ", deletes" : "")
        + (keepsVersions ? ", all versions kept" : "");
  }
}
