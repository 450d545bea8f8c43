package dev.cairn.interop.tools;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.ExtendedCellBuilderFactory;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.regionserver.MultiVersionConcurrencyControl;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.apache.hadoop.hbase.wal.WALPrettyPrinter;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code cairn wal} prints what Apache's {@code WALPrettyPrinter} prints. */
class WalToolTest {
  private static final String NO_ROW = null;

  private static Path plain;
  private static Path compressed;
  private static String region;

  @BeforeAll
  static void write(@TempDir Path folder) throws IOException {
    plain = write(folder.resolve("plain"), false);
    compressed = write(folder.resolve("compressed"), true);
  }

  /** Options of both tools. */
  record Options(boolean values, long sequence, String table, boolean region, String row) {
    String[] arguments(Path log, boolean rowsOnly) {
      Stream.Builder<String> all = Stream.builder();
      all.add("wal");
      if (values) {
        all.add("-p");
      }
      if (sequence >= 0) {
        all.add("-s").add(Long.toString(sequence));
      }
      if (table != null) {
        all.add("--tables").add(table + ",other");
      }
      if (region) {
        all.add("-r").add(WalToolTest.region);
      }
      if (row != null) {
        all.add(row.endsWith("*") ? "-f" : "-w").add(row.replace("*", ""));
      }
      if (rowsOnly) {
        all.add("-k");
      }
      return all.add(log.toString()).build().toArray(String[]::new);
    }

    String apache(Path log, boolean rowsOnly, boolean json) throws IOException {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      boolean prefix = row != null && row.endsWith("*");
      WALPrettyPrinter printer =
          new WALPrettyPrinter(
              values,
              json,
              sequence,
              table == null ? Set.of() : Set.of(table, "other"),
              region ? WalToolTest.region : null,
              prefix ? null : row,
              prefix ? row.replace("*", "") : null,
              rowsOnly,
              true,
              new PrintStream(out, true, UTF_8));
      printer.processFile(configuration(false), new org.apache.hadoop.fs.Path(log.toUri()));
      return out.toString(UTF_8);
    }
  }

  static Stream<Options> options() {
    return Stream.of(
        new Options(false, -1, null, false, NO_ROW),
        new Options(true, -1, null, false, NO_ROW),
        new Options(true, 3, null, false, NO_ROW),
        new Options(true, -1, "ns:t", false, NO_ROW),
        new Options(false, -1, null, true, NO_ROW),
        new Options(true, -1, null, false, "row3"),
        new Options(false, -1, null, false, "row4*"),
        new Options(true, 4711, "none", true, "nothing"));
  }

  @ParameterizedTest
  @MethodSource("options")
  void printsTheSameLines(Options options) throws IOException {
    for (Path log : List.of(plain, compressed)) {
      for (boolean rowsOnly : new boolean[] {false, true}) {
        CairnTool cairn = CairnTool.run(options.arguments(log, rowsOnly));

        assertThat(cairn.out()).isEqualTo(options.apache(log, rowsOnly, false));
        assertThat(cairn.err()).isEmpty();
        assertThat(cairn.status()).isZero();
      }
    }
  }

  /** What Apache's tool prints between the objects makes the whole no JSON; the objects agree. */
  @ParameterizedTest
  @MethodSource("options")
  void printsTheSameObjectsAsJson(Options options) throws IOException {
    String[] arguments = options.arguments(plain, false);
    arguments[arguments.length - 1] = "-j";
    arguments =
        Stream.concat(Stream.of(arguments), Stream.of(plain.toString())).toArray(String[]::new);

    CairnTool cairn = CairnTool.run(arguments);

    assertThat(objects(cairn.out())).isEqualTo(objects(options.apache(plain, false, true)));
    assertThat(JsonParser.parseString(cairn.out()).getAsJsonArray().size())
        .isEqualTo(objects(cairn.out()).size());
  }

  @Test
  void beginsAtAPlaceInTheFile() {
    List<String> positions =
        CairnTool.run("wal", plain.toString())
            .out()
            .lines()
            .filter(line -> line.startsWith("position: "))
            .toList();
    String place = positions.get(2).substring("position: ".length());

    assertThat(CairnTool.run("wal", "-g", place, plain.toString()).out().lines())
        .filteredOn(line -> line.startsWith("position: "))
        .isEqualTo(positions.subList(3, positions.size()));
  }

  @Test
  void aTornEndIsToldAndDamageIsAnError() throws IOException {
    byte[] bytes = Files.readAllBytes(plain);
    Path torn = plain.resolveSibling("torn.1");
    Files.write(torn, Arrays.copyOf(bytes, bytes.length - 100));
    CairnTool told = CairnTool.run("wal", torn.toString());
    assertThat(told.status()).isZero();
    assertThat(told.err()).contains(torn.toString()).contains("torn").hasLineCount(1);

    Path damaged = Files.write(plain.resolveSibling("damaged.1"), "nonsense".getBytes(UTF_8));
    CairnTool refused = CairnTool.run("wal", damaged.toString());
    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.err()).contains(damaged.toString()).contains("offset 0").hasLineCount(1);
  }

  private static List<String> objects(String json) {
    return Pattern.compile("\\{\"sequence\".*?\"hashCode\":-?\\d+}}")
        .matcher(json)
        .results()
        .map(MatchResult::group)
        .toList();
  }

  private static Configuration configuration(boolean compression) {
    Configuration configuration = new Configuration();
    configuration.set("fs.defaultFS", "file:///");
    configuration.setBoolean("fs.file.impl.disable.cache", true);
    configuration.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    configuration.setBoolean("hbase.regionserver.wal.enablecompression", compression);
    configuration.set("hbase.wal.provider", "filesystem");
    return configuration;
  }

  private static Path write(Path folder, boolean compression) throws IOException {
    Configuration configuration = configuration(compression);
    configuration.set("hbase.rootdir", folder.toUri().toString());
    RegionInfo first = RegionInfoBuilder.newBuilder(TableName.valueOf("ns", "t")).build();
    RegionInfo second = RegionInfoBuilder.newBuilder(TableName.valueOf("u")).build();
    region = second.getEncodedName();
    MultiVersionConcurrencyControl mvcc = new MultiVersionConcurrencyControl();
    WALFactory factory = new WALFactory(configuration, "host,1,2");
    WAL wal = factory.getWAL(first);
    for (int i = 0; i < 6; i++) {
      RegionInfo info = i % 2 == 0 ? first : second;
      WALEdit edit = new WALEdit();
      for (int column = 0; column <= i; column++) {
        edit.add((org.apache.hadoop.hbase.Cell) cell(i, column));
      }
      WALKeyImpl key =
          new WALKeyImpl(
              info.getEncodedNameAsBytes(),
              info.getTable(),
              1_700_000_000_000L + i,
              mvcc,
              new TreeMap<>(Bytes.BYTES_COMPARATOR));
      wal.sync(wal.appendData(info, key, edit));
    }
    factory.close();
    try (Stream<Path> files = Files.list(folder.resolve("oldWALs"))) {
      return files
          .filter(file -> !file.getFileName().toString().startsWith("."))
          .findFirst()
          .orElseThrow();
    }
  }

  private static ExtendedCell cell(int row, int column) {
    return ExtendedCellBuilderFactory.create(CellBuilderType.DEEP_COPY)
        .setRow(("row" + row + (column % 2 == 0 ? "\"\\\7" : "")).getBytes(UTF_8))
        .setFamily("f".getBytes(UTF_8))
        .setQualifier(("q" + column).getBytes(UTF_8))
        .setTimestamp(1_700_000_000_000L + row)
        .setType(column == 3 ? KeyValue.Type.DeleteColumn.getCode() : KeyValue.Type.Put.getCode())
        .setValue(("val<" + column + "&'=").getBytes(UTF_8))
        .setTags(
            column % 2 == 1
                ? new byte[] {0, 3, 1, 't', '1', 0, 9, 8, 0, 0, 0, 0, 0, 0, 1, 2}
                : new byte[0])
        .build();
  }
}
