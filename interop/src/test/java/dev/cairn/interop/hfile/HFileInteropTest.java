package dev.cairn.interop.hfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.encoding.DataBlockEncoding;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.index.IndexedColumns;
import dev.cairn.engine.index.ValueBounds;
import dev.cairn.engine.schema.FamilySchema.BloomType;
import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.store.index.FileIndex;
import dev.cairn.engine.store.index.IndexCollector;
import dev.cairn.engine.store.index.IndexPace;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.time.Effort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.util.BloomFilter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random cells in files of every shape. A build takes shapes that cover every pair of choices;
 * {@code -Dgroups=long} takes every combination, {@code -Dcairn.seed=N} repeats a run.
 */
@Tag("forms")
class HFileInteropTest {
  private static final int KEYS = 40;

  @TempDir Path directory;

  @BeforeAll
  static void codecs() {
    ApacheFiles.useJavaCodecs();
  }

  @Test
  void bothReadWhatEitherWrites() throws IOException {
    long seed = Long.getLong("cairn.seed", System.nanoTime());
    Random random = new Random(seed);
    List<Shape> shapes = Effort.isLong() ? Shape.all(random) : Shape.pairs(random);
    System.out.println(shapes.size() + " shapes of store files, -Dcairn.seed=" + seed);
    HFile.getAndResetChecksumFailuresCount();
    try (ApacheFiles apache = new ApacheFiles(directory);
        LocalStorage storage = new LocalStorage(directory)) {
      for (Shape shape : shapes) {
        RandomCells source = new RandomCells(random, shape);
        List<Cell> cells = source.some();
        List<Cell> keys = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
          keys.add(source.key(cells));
        }
        String what = "seed " + seed + ", " + shape + ", " + cells.size() + " cells";
        apache.write("apache", shape, cells);
        write(storage, "cairn", shape, cells);
        new Check(apache, storage, shape, cells, keys, what).run();
        Files.delete(directory.resolve("apache"));
        Files.delete(directory.resolve("cairn"));
      }
    }
    assertThat(HFile.getAndResetChecksumFailuresCount()).as("seed " + seed).isZero();
  }

  @Test
  void metaBlocksAreReadByBoth() throws IOException {
    List<String> names = List.of("one", "three", "two");
    try (ApacheFiles apache = new ApacheFiles(directory);
        LocalStorage storage = new LocalStorage(directory)) {
      try (HFile.Writer writer = apache.writer("apache")) {
        for (String name : List.of("two", "one", "three")) {
          writer.appendMetaBlock(name, new org.apache.hadoop.io.Text("the content of " + name));
        }
        writer.append(ApacheFiles.cell(cell("row")));
      }
      try (HFileReader reader = open(storage, "apache");
          HFileWriter writer =
              new HFileWriter(
                  storage, "cairn", Shape.pairs(new Random(1)).get(0).options(), Clock.SYSTEM)) {
        assertThat(reader.metaBlockNames()).isEqualTo(names);
        for (String name : names) {
          writer.appendMetaBlock(name, reader.metaBlock(name).orElseThrow());
        }
        writer.append(cell("row"));
        writer.finish();
      }
      try (HFile.Reader reader = apache.open("cairn")) {
        for (String name : names) {
          var content = reader.getMetaBlock(name, false).getBufferWithoutHeader();
          byte[] bytes = content.toBytes(content.position(), content.remaining());
          assertThat(new String(bytes, StandardCharsets.UTF_8)).endsWith("the content of " + name);
        }
        assertThat(reader.getMetaBlock("four", false)).isNull();
      }
    }
  }

  @Test
  void apachesReaderReadsTheCellsOfAFileWithIndexes() throws IOException {
    byte[] indexed = "q".getBytes(StandardCharsets.UTF_8);
    byte[] other = "r".getBytes(StandardCharsets.UTF_8);
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      byte[] row = "row-%05d".formatted(i).getBytes(StandardCharsets.UTF_8);
      byte[] value = ("value " + i % 1_000).getBytes(StandardCharsets.UTF_8);
      cells.add(Cell.put(row, new byte[] {'f'}, indexed, 1, value));
      cells.add(Cell.put(row, new byte[] {'f'}, other, 1, value));
    }
    IndexedColumns columns = IndexedColumns.of(List.of(indexed, new byte[0]));
    try (ApacheFiles apache = new ApacheFiles(directory);
        LocalStorage storage = new LocalStorage(directory);
        HFileWriter writer =
            new HFileWriter(
                storage, "cairn", Shape.pairs(new Random(1)).get(0).options(), Clock.SYSTEM);
        IndexCollector collector =
            new IndexCollector(
                columns,
                storage,
                new BlockCache(1 << 20, Runnable::run),
                Clock.SYSTEM,
                () -> storage.create("run"),
                IndexPace.NONE)) {
      writer.addMetaBlocks(collector);
      for (Cell cell : cells) {
        collector.add(cell);
        writer.append(cell);
      }
      writer.finish();
      try (HFile.Reader reader = apache.open("cairn");
          HFileScanner scanner = reader.getScanner(new Configuration(false), false, false)) {
        List<String> found = new ArrayList<>();
        for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
          found.add(ApacheFiles.cell(scanner.getCell()).toString());
        }
        assertThat(found).isEqualTo(cells.stream().map(Cell::toString).toList());
      }
      try (HFileReader reader = open(storage, "cairn")) {
        FileIndex index = FileIndex.open(reader, indexed, ReadMetrics.unused()).orElseThrow();
        byte[] value = "value 7".getBytes(StandardCharsets.UTF_8);
        List<String> rows = new ArrayList<>();
        index.search(
            List.of(ValueBounds.of(value, true, Optional.of(value), true)),
            ReadMetrics.unused(),
            row -> rows.add(new String(row, StandardCharsets.UTF_8)));
        assertThat(rows).containsExactly("row-00007", "row-01007", "row-02007");
        assertThat(FileIndex.exists(reader, new byte[0])).isTrue();
        assertThat(FileIndex.exists(reader, other)).isFalse();
      }
    }
  }

  private static void write(LocalStorage storage, String name, Shape shape, List<Cell> cells)
      throws IOException {
    try (HFileWriter writer = new HFileWriter(storage, name, shape.options(), Clock.SYSTEM)) {
      for (Cell cell : cells) {
        writer.append(cell);
      }
      writer.setMaxSequence(4711);
      writer.setMajorCompaction(true);
      writer.finish();
    }
  }

  private static HFileReader open(LocalStorage storage, String name) throws IOException {
    return HFileReader.open(
        storage, name, new BlockCache(1 << 20, Runnable::run), CellComparator.USER);
  }

  private static Cell cell(String row) {
    byte[] bytes = row.getBytes(StandardCharsets.UTF_8);
    return Cell.put(bytes, new byte[] {'f'}, bytes, 1, bytes);
  }

  /** Holds both readers against the cells, on a file of either writer. */
  private record Check(
      ApacheFiles apache,
      LocalStorage storage,
      Shape shape,
      List<Cell> cells,
      List<Cell> keys,
      String what) {
    void run() throws IOException {
      for (String name : List.of("apache", "cairn")) {
        try (HFile.Reader theirs = apache.open(name);
            HFileReader ours = open(storage, name)) {
          readWithApache(theirs, name);
          readWithCairn(ours, name);
          // Of a file without cells Apache's reader says so by an error.
          assertThat(ours.midRow().map(Shape::text))
              .as(what + ", middle of " + name)
              .isEqualTo(
                  cells.isEmpty()
                      ? Optional.empty()
                      : theirs.midKey().map(key -> Shape.text(CellUtil.cloneRow(key))));
          askBlooms(theirs, ours, name);
        }
      }
      compareInfo();
    }

    private void readWithApache(HFile.Reader reader, String name) throws IOException {
      String where = what + ", Apache's reader on the file of " + name;
      assertThat(reader.getEntries()).as(where).isEqualTo(cells.size());
      List<Cell> found = new ArrayList<>();
      try (HFileScanner scanner = scanner(reader)) {
        for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
          found.add(ApacheFiles.cell(scanner.getCell()));
        }
      }
      assertThat(describe(found)).as(where).isEqualTo(describe(cells));
      for (Cell key : cells.isEmpty() ? List.<Cell>of() : keys) {
        seekWithApache(reader, key, where + ", key " + key);
      }
    }

    private void seekWithApache(HFile.Reader reader, Cell key, String where) throws IOException {
      int at = firstNotBefore(key, CellComparator.USER::compareKeys);
      try (HFileScanner scanner = scanner(reader)) {
        switch (scanner.seekTo(ApacheFiles.key(key))) {
          case -1 -> assertThat(at).as(where).isZero();
          case 0, -2 -> assertStands(scanner, at, where);
          default -> assertStandsBefore(scanner, key, at, where);
        }
      }
      try (HFileScanner scanner = scanner(reader)) {
        assertThat(scanner.seekBefore(ApacheFiles.key(key))).as(where).isEqualTo(at > 0);
        if (at > 0) {
          assertStandsBefore(scanner, key, at, where);
        }
      }
    }

    /**
     * Apache's reader of ROW_INDEX_V1 stops now and then at a cell farther before the key than the
     * last one, and where tags are compressed, it mixes up those of the cell to which it steps
     * back; in its own files as in Cairn's.
     */
    private void assertStandsBefore(HFileScanner scanner, Cell key, int at, String where) {
      if (shape.encoding() == DataBlockEncoding.ROW_INDEX_V1) {
        Cell found = ApacheFiles.cell(scanner.getCell());
        assertThat(CellComparator.USER.compareKeys(found, key)).as(where).isNegative();
      } else if (shape.tags() && shape.compressTags()) {
        Cell found = ApacheFiles.cell(scanner.getCell());
        assertThat(CellComparator.USER.compareKeys(found, cells.get(at - 1))).as(where).isZero();
      } else {
        assertStands(scanner, at - 1, where);
      }
    }

    private static HFileScanner scanner(HFile.Reader reader) {
      return reader.getScanner(new Configuration(false), false, false);
    }

    private void assertStands(HFileScanner scanner, int at, String where) {
      assertThat(describe(ApacheFiles.cell(scanner.getCell())))
          .as(where)
          .isEqualTo(describe(cells.get(at)));
    }

    private void readWithCairn(HFileReader reader, String name) throws IOException {
      String where = what + ", Cairn's reader on the file of " + name;
      assertThat(reader.info().entryCount()).as(where).isEqualTo(cells.size());
      assertThat(reader.info().maxSequence()).as(where).isEqualTo(4711);
      assertThat(reader.info().majorCompaction()).as(where).isTrue();
      assertThat(reader.info().encoding()).as(where).isEqualTo(shape.encoding());
      assertThat(reader.info().compression()).as(where).isEqualTo(shape.compression());
      try (CellCursor cursor = reader.cursor(true)) {
        List<Cell> found = new ArrayList<>();
        for (boolean more = cursor.seek(Cell.firstOnRow(new byte[0])); more; more = cursor.next()) {
          found.add(cursor.cell().copy());
        }
        assertThat(describe(found)).as(where).isEqualTo(describe(cells));
        for (Cell key : keys) {
          int at = firstNotBefore(key, CellComparator.USER::compare);
          String seek = where + ", key " + key;
          assertThat(cursor.seek(key)).as(seek).isEqualTo(at < cells.size());
          if (at < cells.size()) {
            assertThat(describe(cursor.cell())).as(seek).isEqualTo(describe(cells.get(at)));
          }
          assertThat(cursor.seekBefore(key)).as(seek).isEqualTo(at > 0);
          if (at > 0) {
            assertThat(describe(cursor.cell())).as(seek).isEqualTo(describe(cells.get(at - 1)));
          }
        }
      }
    }

    /** Both ask the same bits, so the answers are the same, and never a wrong no. */
    private void askBlooms(HFile.Reader theirs, HFileReader ours, String name) throws IOException {
      Optional<BloomFilter> general = ApacheFiles.generalBloom(theirs);
      Optional<BloomFilter> deletes = ApacheFiles.deleteFamilyBloom(theirs);
      assertThat(general.isPresent())
          .as(what + ", " + name)
          .isEqualTo(shape.bloom() != BloomType.NONE && !cells.isEmpty());
      List<Cell> asked = new ArrayList<>(cells);
      asked.addAll(keys);
      for (int i = 0; i < asked.size(); i++) {
        Cell cell = asked.get(i);
        byte[] row = cell.row();
        String where = what + ", file of " + name + ", Bloom filter on " + cell;
        boolean found = ours.mayContainRow(row, 0, row.length);
        boolean column = ours.mayContainColumn(cell);
        if (i < cells.size()) {
          assertThat(found && column).as(where).isTrue();
        }
        if (general.isEmpty()) {
          assertThat(found).as(where).isEqualTo(!cells.isEmpty());
        } else if (shape.bloom() == BloomType.ROWCOL) {
          boolean expected =
              ApacheFiles.mayContainColumn(general.get(), cell, cell.qualifier())
                  || hasFamilyMarkers()
                      && ApacheFiles.mayContainColumn(general.get(), cell, new byte[0]);
          assertThat(column).as(where).isEqualTo(expected);
        } else {
          int length = shape.bloom() == BloomType.ROW ? row.length : Shape.PREFIX_LENGTH;
          assertThat(found)
              .as(where)
              .isEqualTo(general.get().contains(row, 0, Math.min(length, row.length), null));
        }
        boolean mayDelete = ours.mayContainDeleteFamily(row, 0, row.length);
        if (deletes.isPresent()) {
          assertThat(mayDelete)
              .as(where)
              .isEqualTo(deletes.get().contains(row, 0, row.length, null));
        } else {
          assertThat(mayDelete).as(where).isEqualTo(hasFamilyMarkers());
        }
        if (i < cells.size() && isFamilyMarker(cell)) {
          assertThat(mayDelete).as(where).isTrue();
        }
      }
    }

    private void compareInfo() throws IOException {
      try (HFileReader theirs = open(storage, "apache");
          HFileReader own = open(storage, "cairn")) {
        if (shape.sequences()) {
          assertThat(info(own)).as(what).isEqualTo(info(theirs));
        }
        assertThat(own.info().minTimestamp()).as(what).isEqualTo(theirs.info().minTimestamp());
        assertThat(own.info().maxTimestamp()).as(what).isEqualTo(theirs.info().maxTimestamp());
        assertThat(own.info().firstKey().map(Cell::row).map(Shape::text))
            .as(what)
            .isEqualTo(theirs.info().firstKey().map(Cell::row).map(Shape::text));
      }
    }

    private static Map<String, String> info(HFileReader reader) {
      Map<String, String> info = new TreeMap<>();
      reader
          .info()
          .fileInfo()
          .forEach(
              (name, value) ->
                  info.put(new String(name, StandardCharsets.UTF_8), Arrays.toString(value)));
      info.remove("hfile.CREATE_TIME_TS");
      // These are the store's affair: what a compaction merged, and that its result is not divided.
      info.remove("COMPACTION_EVENT_KEY");
      info.remove("HISTORICAL");
      // Cairn leaves tags as they are.
      info.remove("hfile.TAGS_COMPRESSED");
      return info;
    }

    private boolean hasFamilyMarkers() {
      return cells.stream().anyMatch(Check::isFamilyMarker);
    }

    private static boolean isFamilyMarker(Cell cell) {
      return cell.typeCode() == CellType.DELETE_FAMILY.code()
          || cell.typeCode() == CellType.DELETE_FAMILY_VERSION.code();
    }

    private int firstNotBefore(Cell key, java.util.Comparator<Cell> order) {
      int at = 0;
      while (at < cells.size() && order.compare(cells.get(at), key) < 0) {
        at++;
      }
      return at;
    }

    private static List<String> describe(List<Cell> cells) {
      return cells.stream().map(Check::describe).toList();
    }

    private static String describe(Cell cell) {
      return cell + Arrays.toString(cell.value()) + Arrays.toString(cell.tags());
    }
  }
}
