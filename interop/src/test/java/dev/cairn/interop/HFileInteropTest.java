package dev.cairn.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.hfile.BlockCache;
import dev.cairn.engine.hfile.ChecksumType;
import dev.cairn.engine.hfile.Compression;
import dev.cairn.engine.hfile.DataBlockEncoding;
import dev.cairn.engine.hfile.HFileOptions;
import dev.cairn.engine.hfile.HFileReader;
import dev.cairn.engine.hfile.HFileWriter;
import dev.cairn.engine.schema.FamilySchema.BloomType;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.ExtendedCellBuilder;
import org.apache.hadoop.hbase.ExtendedCellBuilderFactory;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.util.BloomFilter;
import org.apache.hadoop.hbase.util.BloomFilterFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Store files that Cairn writes are read by Apache HBase's own reader, and the other way round. */
class HFileInteropTest {
  private static final int ROWS = 400;
  private static final int PREFIX_LENGTH = 5;

  @TempDir Path directory;

  /** What a file is made like. The index is cut small, so that it has several levels. */
  record Shape(
      Compression compression,
      DataBlockEncoding encoding,
      BloomType bloom,
      boolean tags,
      ChecksumType checksum) {
    HFileOptions options() {
      return new HFileOptions(
          300,
          compression,
          encoding,
          bloom,
          bloom == BloomType.ROWPREFIX_FIXED_LENGTH ? PREFIX_LENGTH : 0,
          CellComparator.USER,
          tags,
          checksum,
          400,
          64);
    }
  }

  static Stream<Shape> shapes() {
    Stream.Builder<Shape> shapes = Stream.builder();
    for (BloomType bloom : BloomType.values()) {
      for (ChecksumType checksum : ChecksumType.values()) {
        shapes.add(new Shape(Compression.NONE, DataBlockEncoding.NONE, bloom, false, checksum));
      }
    }
    for (DataBlockEncoding encoding : DataBlockEncoding.values()) {
      for (boolean tags : new boolean[] {false, true}) {
        shapes.add(new Shape(Compression.NONE, encoding, BloomType.ROW, tags, ChecksumType.CRC32C));
        shapes.add(new Shape(Compression.GZ, encoding, BloomType.ROW, tags, ChecksumType.CRC32C));
      }
    }
    // The codecs of the others need libraries that Hadoop's client does not bring.
    shapes.add(
        new Shape(
            Compression.SNAPPY, DataBlockEncoding.NONE, BloomType.ROW, true, ChecksumType.CRC32C));
    return shapes.build();
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void apacheReadsWhatCairnWrites(Shape shape) throws IOException {
    List<Cell> cells = cells(shape.tags());
    try (HFileWriter writer =
        new HFileWriter(new DirectoryStorage(directory), "file", shape.options(), Clock.SYSTEM)) {
      writer.setMaxSequence(4711);
      writer.setMajorCompaction(true);
      for (Cell cell : cells) {
        writer.append(cell);
      }
      writer.finish();
    }

    Configuration configuration = configuration();
    FileSystem files = FileSystem.getLocal(configuration).getRaw();
    try (HFile.Reader reader =
        HFile.createReader(files, path("file"), CacheConfig.DISABLED, true, configuration)) {
      assertThat(reader.getEntries()).isEqualTo(cells.size());
      assertThat(reader.getTrailer().getNumDataIndexLevels()).isGreaterThan(2);
      HFileScanner scanner = reader.getScanner(configuration, false, false);
      List<String> found = new ArrayList<>();
      for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
        found.add(describe((ExtendedCell) scanner.getCell()));
      }
      assertThat(found).isEqualTo(cells.stream().map(HFileInteropTest::describe).toList());
      for (int i = 0; i < cells.size(); i += 17) {
        Cell cell = cells.get(i);
        byte[] key =
            Arrays.copyOfRange(cell.bytes(), cell.keyOffset(), cell.keyOffset() + cell.keyLength());
        assertThat(scanner.seekTo(new KeyValue.KeyOnlyKeyValue(key))).isZero();
        assertThat(describe((ExtendedCell) scanner.getCell())).isEqualTo(describe(cell));
      }
      assertThat(reader.midKey()).isPresent();
      checkBloom(shape.bloom(), reader, cells);
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void cairnReadsWhatApacheWrites(Shape shape) throws IOException {
    List<Cell> cells = cells(shape.tags());
    writeWithApache(shape, cells);

    BlockCache cache = new BlockCache(1 << 20, Runnable::run);
    try (HFileReader reader =
        HFileReader.open(new DirectoryStorage(directory), "file", cache, CellComparator.USER)) {
      assertThat(reader.info().entryCount()).isEqualTo(cells.size());
      assertThat(reader.info().maxSequence()).isEqualTo(4711);
      assertThat(reader.info().majorCompaction()).isTrue();
      assertThat(reader.info().bloomType()).isEqualTo(shape.bloom());
      assertThat(reader.info().minTimestamp()).isZero();
      assertThat(reader.info().maxTimestamp())
          .isEqualTo(cells.stream().mapToLong(Cell::timestamp).max().orElseThrow());
      assertThat(reader.midRow()).isPresent();
      try (CellCursor cursor = reader.cursor(true)) {
        List<String> found = new ArrayList<>();
        for (boolean more = cursor.seek(Cell.firstOnRow(new byte[0])); more; more = cursor.next()) {
          found.add(describe(cursor.cell()));
        }
        assertThat(found).isEqualTo(cells.stream().map(HFileInteropTest::describe).toList());
      }
      int wrong = 0;
      for (Cell cell : cells) {
        assertThat(reader.mayContainRow(cell.bytes(), cell.rowOffset(), cell.rowLength())).isTrue();
        assertThat(reader.mayContainColumn(cell)).isTrue();
        Cell absent =
            Cell.firstOnColumn(
                bytes("x" + new String(cell.row(), StandardCharsets.UTF_8)),
                cell.family(),
                cell.qualifier());
        wrong += reader.mayContainColumn(absent) ? 1 : 0;
      }
      if (shape.bloom() != BloomType.NONE) {
        assertThat(wrong).isLessThan(cells.size() / 10);
      }
    }
  }

  @Test
  void bothWriteTheSameFileInfo() throws IOException {
    Shape shape =
        new Shape(
            Compression.NONE, DataBlockEncoding.NONE, BloomType.ROW, true, ChecksumType.CRC32C);
    List<Cell> cells = cells(true);
    writeWithApache(shape, cells);
    DirectoryStorage storage = new DirectoryStorage(directory);
    try (HFileWriter writer = new HFileWriter(storage, "own", shape.options(), Clock.SYSTEM)) {
      writer.setMaxSequence(4711);
      writer.setMajorCompaction(true);
      for (Cell cell : cells) {
        writer.append(cell);
      }
      writer.finish();
    }
    BlockCache cache = new BlockCache(0, Runnable::run);
    try (HFileReader apache = HFileReader.open(storage, "file", cache, CellComparator.USER);
        HFileReader own = HFileReader.open(storage, "own", cache, CellComparator.USER)) {
      own.info()
          .fileInfo()
          .forEach(
              (name, value) -> {
                String text = new String(name, StandardCharsets.UTF_8);
                if (!text.equals("hfile.CREATE_TIME_TS")) {
                  assertThat(value).as(text).isEqualTo(apache.info().fileInfo().get(name));
                }
              });
    }
  }

  private void checkBloom(BloomType type, HFile.Reader reader, List<Cell> cells)
      throws IOException {
    if (type == BloomType.NONE) {
      assertThat(reader.getGeneralBloomFilterMetadata()).isNull();
      return;
    }
    BloomFilter bloom =
        BloomFilterFactory.createFromMeta(reader.getGeneralBloomFilterMetadata(), reader);
    int wrong = 0;
    for (Cell cell : cells) {
      if (type == BloomType.ROWCOL) {
        assertThat(bloom.contains(column(cell.row(), cell), null, apache(type))).isTrue();
        wrong += bloom.contains(column(bytes("x" + cell), cell), null, apache(type)) ? 1 : 0;
      } else {
        int length =
            type == BloomType.ROW ? cell.rowLength() : Math.min(PREFIX_LENGTH, cell.rowLength());
        assertThat(bloom.contains(cell.row(), 0, length, null)).isTrue();
        byte[] absent = bytes("row" + cell);
        wrong += bloom.contains(absent, 0, absent.length, null) ? 1 : 0;
      }
    }
    assertThat(wrong).isLessThan(cells.size() / 10);
    if (type != BloomType.ROWCOL) {
      BloomFilter deletes =
          BloomFilterFactory.createFromMeta(reader.getDeleteBloomFilterMetadata(), reader);
      for (Cell cell : cells) {
        if (cell.typeCode() == CellType.DELETE_FAMILY.code()) {
          assertThat(deletes.contains(cell.row(), 0, cell.rowLength(), null)).isTrue();
        }
      }
    }
  }

  private void writeWithApache(Shape shape, List<Cell> cells) throws IOException {
    Configuration configuration = configuration();
    configuration.setInt("hfile.index.block.max.size", 400);
    configuration.setInt("io.storefile.bloom.block.size", 64);
    configuration.setInt("RowPrefixBloomFilter.prefix_length", PREFIX_LENGTH);
    FileSystem files = FileSystem.getLocal(configuration).getRaw();
    HFileContext context =
        new HFileContextBuilder()
            .withBlockSize(300)
            .withCompression(Algorithm.valueOf(shape.compression().name()))
            .withDataBlockEncoding(
                org.apache.hadoop.hbase.io.encoding.DataBlockEncoding.valueOf(
                    shape.encoding().name()))
            .withIncludesTags(shape.tags())
            .withCompressTags(false)
            .withIncludesMvcc(true)
            .withHBaseCheckSum(true)
            .withChecksumType(
                org.apache.hadoop.hbase.util.ChecksumType.valueOf(shape.checksum().name()))
            .withCellComparator(CellComparatorImpl.COMPARATOR)
            .build();
    StoreFileWriter writer =
        new StoreFileWriter.Builder(configuration, new CacheConfig(configuration), files)
            .withFilePath(path("file"))
            .withFileContext(context)
            .withBloomType(apache(shape.bloom()))
            .withMaxKeyCount(cells.size())
            .build();
    for (Cell cell : cells) {
      writer.append(apacheCell(cell));
    }
    writer.appendMetadata(4711, true);
    writer.close();
  }

  /** Rows of different lengths, some with a marker that deletes the family before them. */
  private static List<Cell> cells(boolean tags) {
    Random random = new Random(1);
    List<Cell> cells = new ArrayList<>();
    byte[] family = bytes("f");
    for (int i = 0; i < ROWS; i++) {
      byte[] row = bytes("r%04d%s".formatted(i * 7, "x".repeat(i % 5)));
      byte[] tag =
          tags && i % 3 > 0 ? new byte[] {0, 3, 1, 't', (byte) ('0' + i % 10)} : new byte[0];
      if (i % 20 == 3) {
        cells.add(
            Cell.of(
                row,
                family,
                new byte[0],
                500 + i,
                CellType.DELETE_FAMILY.code(),
                new byte[0],
                tag,
                i));
      }
      for (int column = 0; column < 1 + i % 4; column++) {
        for (int version = 0; version <= column % 2; version++) {
          cells.add(
              Cell.of(
                  row,
                  family,
                  bytes("q" + column),
                  1_700_000_000_000L + i * 1000L - version * (long) random.nextInt(1 << 20),
                  column == 3 ? CellType.DELETE_COLUMN.code() : CellType.PUT.code(),
                  column == 3 ? new byte[0] : bytes("v".repeat(random.nextInt(20))),
                  tag,
                  1000L * i + 5 - version));
        }
      }
    }
    // A version may by chance have the same timestamp as the one before.
    cells.sort(CellComparator.USER);
    return cells;
  }

  private static String describe(Cell cell) {
    return cell + Arrays.toString(cell.value()) + Arrays.toString(cell.tags());
  }

  private static String describe(ExtendedCell cell) {
    return describe(
        Cell.of(
            org.apache.hadoop.hbase.CellUtil.cloneRow(cell),
            org.apache.hadoop.hbase.CellUtil.cloneFamily(cell),
            org.apache.hadoop.hbase.CellUtil.cloneQualifier(cell),
            cell.getTimestamp(),
            cell.getTypeByte() & 0xFF,
            org.apache.hadoop.hbase.CellUtil.cloneValue(cell),
            Arrays.copyOfRange(
                cell.getTagsArray(),
                cell.getTagsOffset(),
                cell.getTagsOffset() + cell.getTagsLength()),
            cell.getSequenceId()));
  }

  private static ExtendedCell apacheCell(Cell cell) {
    ExtendedCellBuilder builder = ExtendedCellBuilderFactory.create(CellBuilderType.DEEP_COPY);
    return builder
        .setRow(cell.row())
        .setFamily(cell.family())
        .setQualifier(cell.qualifier())
        .setTimestamp(cell.timestamp())
        .setType((byte) cell.typeCode())
        .setValue(cell.value())
        .setTags(cell.tags())
        .setSequenceId(cell.sequence())
        .build();
  }

  private static org.apache.hadoop.hbase.Cell column(byte[] row, Cell cell) {
    return PrivateCellUtil.createFirstOnRowCol(new KeyValue(row, cell.family(), cell.qualifier()));
  }

  private static org.apache.hadoop.hbase.regionserver.BloomType apache(BloomType type) {
    return org.apache.hadoop.hbase.regionserver.BloomType.valueOf(type.name());
  }

  private static Configuration configuration() {
    Configuration configuration = new Configuration(false);
    configuration.addResource("core-default.xml");
    configuration.set("fs.defaultFS", "file:///");
    return configuration;
  }

  private org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path(directory.resolve(name).toUri());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
