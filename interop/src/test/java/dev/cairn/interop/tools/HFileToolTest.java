package dev.cairn.interop.tools;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.ExtendedCellBuilderFactory;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFilePrettyPrinter;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code cairn hfile} prints what Apache's {@code HFilePrettyPrinter} prints. */
class HFileToolTest {
  private static final List<String> OPTIONS = List.of("-mpbsv", "-e -d", "-ka", "-p -w r0021");

  /** A family folder, as {@code -a} expects it. */
  private static Path family;

  @BeforeAll
  static void write(@TempDir Path folder) throws IOException {
    family = Files.createDirectories(folder.resolve("f"));
    write("empty", 0, "NONE", "NONE", BloomType.NONE, 1 << 17, CellComparatorImpl.COMPARATOR);
    write("small", 6, "NONE", "NONE", BloomType.ROW, 1 << 17, CellComparatorImpl.COMPARATOR);
    write("odd", 17, "NONE", "PREFIX", BloomType.ROW, 1 << 17, CellComparatorImpl.COMPARATOR);
    write("deep", 150, "GZ", "FAST_DIFF", BloomType.ROWCOL, 200, CellComparatorImpl.COMPARATOR);
    write("diff", 80, "NONE", "DIFF", BloomType.ROW, 300, CellComparatorImpl.COMPARATOR);
    write("index", 80, "GZ", "ROW_INDEX_V1", BloomType.NONE, 300, CellComparatorImpl.COMPARATOR);
    write(
        "meta",
        40,
        "NONE",
        "NONE",
        BloomType.ROWCOL,
        300,
        org.apache.hadoop.hbase.MetaCellComparator.META_COMPARATOR);
  }

  static Stream<Arguments> filesAndOptions() {
    return Stream.of("empty", "small", "odd", "deep", "diff", "index", "meta")
        .flatMap(file -> OPTIONS.stream().map(options -> Arguments.of(file, options)));
  }

  @ParameterizedTest
  @MethodSource("filesAndOptions")
  void printsTheSameLines(String file, String options) {
    List<String> arguments = new ArrayList<>(List.of(options.split(" ")));
    arguments.addAll(List.of("-f", family.resolve(file).toUri().toString()));

    CairnTool cairn = CairnTool.run(prepend("hfile", arguments));

    assertThat(cairn.status()).isZero();
    assertThat(lines(cairn.out())).isEqualTo(lines(apache(arguments)));
    assertThat(cairn.err()).isEmpty();
  }

  /** The rest of the line is about HBase's own memory, and who verified the checksums. */
  @Test
  void printsTheSameFactsAboutBlocks() {
    Pattern facts =
        Pattern.compile(
            "blockType=\\w+, fileOffset=\\d+, headerSize=\\d+, onDiskSizeWithoutHeader=\\d+,"
                + " uncompressedSizeWithoutHeader=\\d+, prevBlockOffset=-?\\d+|getOnDiskSize"
                + "WithHeader=\\d+|dataBeginsWith=[^ ]*|nextBlockOnDiskSize=\\d+");
    List<String> arguments = List.of("-h", "-f", family.resolve("deep").toUri().toString());

    String cairn = CairnTool.run(prepend("hfile", arguments)).out();

    assertThat(facts.matcher(cairn).results().map(MatchResult::group).toList())
        .hasSizeGreaterThan(100)
        .isEqualTo(facts.matcher(apache(arguments)).results().map(MatchResult::group).toList());
  }

  @Test
  void printsSeveralFilesAndTheirSum() {
    List<String> arguments =
        List.of(
            "-v",
            "-e",
            "-f",
            family.resolve("small").toUri().toString(),
            family.resolve("odd").toUri().toString());

    assertThat(lines(CairnTool.run(prepend("hfile", arguments)).out()))
        .isEqualTo(lines(apache(arguments)));
  }

  @Test
  void namesTheFileAndThePlaceOfDamage() throws IOException {
    byte[] bytes = Files.readAllBytes(family.resolve("deep"));
    bytes[50] ^= 1;
    Path damaged = Files.write(family.resolve("damaged"), bytes);

    CairnTool cairn = CairnTool.run("hfile", "-p", "-f", damaged.toString());

    assertThat(cairn.status()).isEqualTo(1);
    assertThat(cairn.err()).contains(damaged.toString()).contains("byte 0").hasLineCount(1);
  }

  @Test
  void refusesWhatItCannotDo() {
    assertThat(CairnTool.run("hfile", "-m").status()).isEqualTo(2);
    assertThat(CairnTool.run("hfile", "-m", "-f", family.resolve("none").toString()))
        .satisfies(run -> assertThat(run.status()).isEqualTo(1))
        .satisfies(run -> assertThat(run.err()).contains("none does not exist"));
  }

  private static String[] prepend(String command, List<String> arguments) {
    return Stream.concat(Stream.of(command), arguments.stream()).toArray(String[]::new);
  }

  private static String apache(List<String> arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    HFilePrettyPrinter printer = new HFilePrettyPrinter(configuration());
    printer.setPrintStreams(
        new PrintStream(out, true, UTF_8),
        new PrintStream(new ByteArrayOutputStream(), true, UTF_8));
    printer.run(arguments.toArray(String[]::new));
    return out.toString(UTF_8);
  }

  private static List<String> lines(String text) {
    return text.lines().filter(line -> !line.startsWith("Block index size")).toList();
  }

  private static Configuration configuration() {
    Configuration configuration = new Configuration();
    configuration.set("fs.defaultFS", "file:///");
    configuration.set("hbase.rootdir", "file:///");
    configuration.setBoolean("fs.file.impl.disable.cache", true);
    return configuration;
  }

  private static void write(
      String name,
      int rows,
      String compression,
      String encoding,
      BloomType bloom,
      int indexBlockSize,
      CellComparator order)
      throws IOException {
    Configuration configuration = configuration();
    configuration.setInt("hfile.index.block.max.size", indexBlockSize);
    configuration.setInt("io.storefile.bloom.block.size", 64);
    try (FileSystem files = FileSystem.newInstanceLocal(configuration)) {
      StoreFileWriter writer =
          new StoreFileWriter.Builder(configuration, new CacheConfig(configuration), files)
              .withFilePath(new org.apache.hadoop.fs.Path(family.resolve(name).toUri()))
              .withFileContext(
                  new HFileContextBuilder()
                      .withBlockSize(300)
                      .withCompression(Algorithm.valueOf(compression))
                      .withDataBlockEncoding(DataBlockEncoding.valueOf(encoding))
                      .withIncludesTags(true)
                      .withIncludesMvcc(true)
                      .withHBaseCheckSum(true)
                      .withCellComparator(order)
                      .build())
              .withBloomType(bloom)
              .withMaxKeyCount(Math.max(1, rows * 2L))
              .build();
      for (ExtendedCell cell : cells(rows, order)) {
        writer.append(cell);
      }
      writer.appendMetadata(4711, true);
      writer.close();
    }
  }

  private static List<ExtendedCell> cells(int rows, CellComparator order) {
    Random random = new Random(1);
    boolean meta = order != CellComparatorImpl.COMPARATOR;
    List<ExtendedCell> cells = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      String row = (meta ? "t,r%04d%s,1" : "r%04d%s").formatted(i * 7, i % 5 == 0 ? "\1\\ä" : "");
      if (i % 20 == 3) {
        cells.add(cell(row, "", 5, KeyValue.Type.DeleteFamily, new byte[0], new byte[0], 3));
      }
      for (int column = 0; column < 1 + i % 3; column++) {
        byte[] value = new byte[column == 2 ? 0 : random.nextInt(i % 30 == 7 ? 3000 : 20)];
        random.nextBytes(value);
        byte[] tags =
            i % 3 == 0
                ? new byte[] {0, 3, 1, 't', '1', 0, 9, 8, 0, 0, 0, 0, 0, 0, 1, 2}
                : new byte[0];
        cells.add(
            cell(
                row,
                "q" + column + "x".repeat(i % 7),
                1_700_000_000_000L + i,
                column == 2 ? KeyValue.Type.DeleteColumn : KeyValue.Type.Put,
                value,
                tags,
                1000 + i));
      }
    }
    cells.sort(order);
    return cells;
  }

  private static ExtendedCell cell(
      String row,
      String qualifier,
      long timestamp,
      KeyValue.Type type,
      byte[] value,
      byte[] tags,
      long sequence) {
    return ExtendedCellBuilderFactory.create(CellBuilderType.DEEP_COPY)
        .setRow(row.getBytes(UTF_8))
        .setFamily("f".getBytes(UTF_8))
        .setQualifier(qualifier.getBytes(UTF_8))
        .setTimestamp(timestamp)
        .setType(type.getCode())
        .setValue(value)
        .setTags(tags)
        .setSequenceId(sequence)
        .build();
  }
}
