package dev.cairn.interop.tools;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.launcher.regions.RegionSplitter;
import dev.cairn.shell.split.SplitAlgorithm;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code cairn regionsplitter} chooses the rows that HBase's tool chooses, and splits tables. */
class RegionSplitterTest {
  private static CairnServer server;
  private static Connection connection;
  private static Admin admin;

  @TempDir Path folder;
  private final List<String> printed = new ArrayList<>();

  @BeforeAll
  static void start() throws IOException {
    server = CairnServer.start();
    connection = server.connect();
    admin = connection.getAdmin();
  }

  @AfterAll
  static void stop() throws IOException {
    admin.close();
    connection.close();
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "HexStringSplit, '', ''",
    "HexStringSplit, 10, FFF",
    "DecimalStringSplit, '', ''",
    "DecimalStringSplit, 0, 5000000",
    "UniformSplit, '', ''",
    "UniformSplit, a, zz",
    "UniformSplit, \\x00\\x01, \\xF0",
  })
  void theRowsAreThoseOfHBasesTool(String name, String first, String last) throws IOException {
    var reference =
        org.apache.hadoop.hbase.util.RegionSplitter.newSplitAlgoInstance(
            new Configuration(false), name);
    if (!first.isEmpty()) {
      reference.setFirstRow(first);
    }
    if (!last.isEmpty()) {
      reference.setLastRow(last);
    }
    SplitAlgorithm algorithm = SplitAlgorithm.of(name, first, last);
    for (int regions : new int[] {2, 3, 4, 7, 16, 100}) {
      List<String> rows = texts(reference.split(regions));
      assertThat(texts(algorithm.split(regions).toArray(byte[][]::new))).isEqualTo(rows);
      String start = rows.get(0);
      String end = rows.get(rows.size() - 1);
      if (regions > 2) {
        assertMiddle(algorithm, reference, Bytes.toBytesBinary(start), Bytes.toBytesBinary(end));
      }
    }
  }

  private static void assertMiddle(
      SplitAlgorithm algorithm,
      org.apache.hadoop.hbase.util.RegionSplitter.SplitAlgorithm reference,
      byte[] start,
      byte[] end) {
    assertThat(Bytes.toStringBinary(algorithm.middle(start, end)))
        .isEqualTo(Bytes.toStringBinary(reference.split(start, end)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"HexStringSplit", "DecimalStringSplit", "UniformSplit"})
  void aTableIsCreatedWithRegionsAndEachIsSplitInTwo(String name) throws IOException {
    TableName table = TableName.valueOf(name);
    RegionSplitter splitter = splitter(table, name);
    splitter.create(List.of("f", "g"), 4);
    assertThat(starts(table)).hasSize(4);
    assertThat(admin.getDescriptor(table).getColumnFamilyNames()).hasSize(2);
    assertThatThrownBy(() -> splitter.create(List.of("f"), 4))
        .isInstanceOf(TableExistsException.class);
    fill(table);

    List<String> before = starts(table);
    splitter.split(2, true, folder);

    assertThat(starts(table)).hasSize(8).containsAll(before);
    assertThat(rows(table)).hasSize(100);
    assertThat(Files.list(folder)).isEmpty();
    splitter.split(1, true, folder);
    assertThat(starts(table)).hasSize(16);
  }

  @Test
  void aRunThatWasCutOffGoesOnWithWhatIsLeft() throws IOException {
    TableName table = TableName.valueOf("cut-off");
    RegionSplitter splitter = splitter(table, "HexStringSplit");
    splitter.create(List.of("f"), 2);
    Files.write(
        folder.resolve("cut-off_balancedSplit"),
        List.of("+ '' 40000000", "+ 80000000 c0000000", "- '' 40000000"));
    splitter.split(2, false, folder);
    assertThat(starts(table)).containsExactly("", "80000000", "c0000000");
    assertThat(printed).anyMatch(line -> line.startsWith("Continuing"));
    assertThat(Files.list(folder)).isEmpty();
  }

  @Test
  void aTableThatDoesNotExistIsRefused() {
    RegionSplitter splitter = splitter(TableName.valueOf("nosuch"), "HexStringSplit");

    assertThatThrownBy(() -> splitter.split(2, true, folder))
        .isInstanceOf(TableNotFoundException.class)
        .hasMessage("Table nosuch does not exist");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void whatCannotBeDividedIsRefusedBeforeAnythingIsSplit() throws IOException {
    TableName table = TableName.valueOf("letters");
    splitter(table, "UniformSplit").create(List.of("f"), 3);
    assertThatThrownBy(() -> splitter(table, "DecimalStringSplit").split(2, true, folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is no decimal number");
    assertThat(starts(table)).hasSize(3);
    assertThatThrownBy(() -> SplitAlgorithm.of("MySplit", "", ""))
        .hasMessageContaining("MySplit is no split algorithm");
    assertThatThrownBy(() -> SplitAlgorithm.of("HexStringSplit", "ff", "0"))
        .hasMessageContaining("is not after the first");
    assertThatThrownBy(() -> SplitAlgorithm.of("DecimalStringSplit", "0", "3").split(9))
        .hasMessageContaining("only 4 rows");
  }

  @Test
  void theCommandLineSaysWhatIsMissing() {
    assertMisused("Either -c", "t", "HexStringSplit");
    assertMisused("Either -c", "t", "HexStringSplit", "-c", "3", "-f", "f", "-r");
    assertMisused("Split count must be > 1", "t", "HexStringSplit", "-c", "1", "-f", "f");
    assertMisused("at least one column family", "t", "HexStringSplit", "-c", "3");
    assertMisused("MySplit is no split algorithm", "t", "MySplit", "-r");
  }

  private static void assertMisused(String message, String... arguments) {
    List<String> line = new ArrayList<>(List.of("regionsplitter"));
    line.addAll(Arrays.asList(arguments));
    CairnTool run = CairnTool.run(line.toArray(String[]::new));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains(message);
  }

  private RegionSplitter splitter(TableName table, String algorithm) {
    return new RegionSplitter(admin, table, SplitAlgorithm.of(algorithm, "", ""), printed::add);
  }

  private static void fill(TableName name) throws IOException {
    try (Table table = connection.getTable(name)) {
      for (int i = 0; i < 100; i++) {
        table.put(new Put(toBytes("%08d".formatted(i * 999_999))).addColumn(F, null, F));
      }
    }
  }

  private static final byte[] F = toBytes("f");

  private static List<String> rows(TableName name) throws IOException {
    List<String> rows = new ArrayList<>();
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result result : scanner) {
        rows.add(Bytes.toString(result.getRow()));
      }
    }
    return rows;
  }

  private static List<String> starts(TableName table) throws IOException {
    return admin.getRegions(table).stream()
        .map(RegionInfo::getStartKey)
        .map(Bytes::toStringBinary)
        .toList();
  }

  private static List<String> texts(byte[][] rows) {
    return Arrays.stream(rows).map(Bytes::toStringBinary).toList();
  }
}
