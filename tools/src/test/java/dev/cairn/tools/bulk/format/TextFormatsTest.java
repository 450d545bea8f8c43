package dev.cairn.tools.bulk.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.keys.KeyDisplay;
import dev.cairn.tools.bulk.format.RowFormat.RowReader;
import dev.cairn.tools.bulk.format.RowFormat.RowWriter;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON lines and TSV as files. */
class TextFormatsTest {
  private static final long NOW = 1234;
  private static final byte[] BINARY = {0, -1, '\n', '\t', (byte) 0xc3};

  @TempDir Path folder;

  private static FileSystem files() throws IOException {
    return FileSystem.getLocal(new Configuration()).getRaw();
  }

  private org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path(folder.resolve(name).toUri());
  }

  private static KeyValue cell(byte[] row, String column, long time, byte[] value) {
    String[] parts = column.split(":", 2);
    return new KeyValue(row, Bytes.toBytes(parts[0]), Bytes.toBytes(parts[1]), time, value);
  }

  private void write(RowFormat format, String name, Cell... cells) throws IOException {
    try (RowWriter writer = format.create(files(), path(name))) {
      writer.write(Result.create(cells));
    }
  }

  private List<Cell> read(RowFormat format, String name) throws IOException {
    List<Mutation> mutations = new ArrayList<>();
    try (RowReader reader = format.open(files(), path(name))) {
      while (reader.next(mutations::add)) {
        assertThat(reader.position()).isPositive();
      }
    }
    List<Cell> cells = new ArrayList<>();
    for (Mutation mutation : mutations) {
      for (CellScanner scanner = mutation.cellScanner(); scanner.advance(); ) {
        cells.add(scanner.current());
      }
    }
    return cells;
  }

  private static List<String> texts(List<? extends Cell> cells) {
    return cells.stream()
        .map(
            cell ->
                cell
                    + "="
                    + Bytes.toStringBinary(
                        cell.getValueArray(), cell.getValueOffset(), cell.getValueLength()))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({"false, rows.json", "true, rows.json.gz"})
  void jsonKeepsEveryByteOfACell(boolean compressed, String name) throws IOException {
    JsonFormat format = new JsonFormat(compressed, NOW);
    KeyValue text = cell(BINARY, "f:ü\"\\", 7, Bytes.toBytes("v\u2028<€"));
    KeyValue binary = cell(BINARY, "f:z:" + "\u0001", 0, BINARY);
    KeyValue empty = cell(BINARY, "g:", 9, new byte[0]);
    write(format, name, text, binary, empty);
    assertThat(texts(read(format, name))).isEqualTo(texts(List.of(text, binary, empty)));
  }

  @Test
  void jsonIsOneObjectALineInWordsThatPeopleRead() throws IOException {
    byte[] row = Bytes.toBytes("r");
    KeyValue marker =
        new KeyValue(row, Bytes.toBytes("f"), Bytes.toBytes("q"), 9, KeyValue.Type.DeleteColumn);
    write(new JsonFormat(false, NOW), "a", marker, cell(row, "f:q", 7, Bytes.toBytes("v")));
    assertThat(folder.resolve("a"))
        .hasContent(
            """
            {"row":"r","cells":[{"column":"f:q","timestamp":9,"type":"DeleteColumn"},\
            {"column":"f:q","timestamp":7,"value":"v"}]}
            """);
    assertThat(read(new JsonFormat(false, NOW), "a"))
        .extracting(Cell::getType)
        .containsExactly(Cell.Type.Put, Cell.Type.DeleteColumn);
  }

  @Test
  void jsonMayHaveThePartsOfRowKeysWhichAnImportIgnores() throws IOException {
    KeyDisplay keys =
        KeyDisplay.of(
            Optional.of(
                "host string, seq int, on boolean, at timestamp desc, f float, g double, size decimal"));
    byte[] row =
        keys.format()
            .get()
            .encode("w\"1", 7, true, Instant.EPOCH, 2.5f, Double.NaN, new BigDecimal("-1.5"));
    JsonFormat format = new JsonFormat(false, NOW).with(keys);
    write(format, "a", cell(row, "f:q", 7, Bytes.toBytes("v")));
    JsonObject line =
        JsonParser.parseString(Files.readString(folder.resolve("a"))).getAsJsonObject();
    assertThat(line.get("key"))
        .hasToString(
            "{\"host\":\"w\\\"1\",\"seq\":7,\"on\":true,\"at\":\"1970-01-01T00:00:00Z\",\"f\":2.5,\"g\":\"NaN\",\"size\":-1.5}");
    assertThat(read(new JsonFormat(false, NOW), "a"))
        .singleElement()
        .satisfies(cell -> assertThat(CellUtil.cloneRow(cell)).isEqualTo(row));
    assertThat(format.description()).isEqualTo("JSON lines, keys by " + keys.format().get());

    write(format, "b", cell(Bytes.toBytes("other"), "f:q", 7, Bytes.toBytes("v")));
    assertThat(folder.resolve("b"))
        .hasContent(
            "{\"row\":\"other\",\"cells\":[{\"column\":\"f:q\",\"timestamp\":7,\"value\":\"v\"}]}\n");
  }

  @Test
  void jsonWithoutATimestampHasThatOfTheImport() throws IOException {
    Files.writeString(
        folder.resolve("a"), "\n{\"row\":\"r\",\"cells\":[{\"column\":\"f:q\",\"value\":\"v\"}]}");
    assertThat(read(new JsonFormat(false, NOW), "a"))
        .singleElement()
        .extracting(Cell::getTimestamp)
        .isEqualTo(NOW);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "[]",
        "{\"cells\":[]}",
        "{\"row\":\"r\"}",
        "{\"row\":\"r\",\"cells\":{}}",
        "{\"row\":7,\"cells\":[{\"column\":\"f:q\",\"value\":\"v\"}]}",
        "{\"row\":\"\",\"cells\":[{\"column\":\"f:q\",\"value\":\"v\"}]}",
        "{\"row\":\"r\",\"cells\":[{\"column\":\"f\",\"value\":\"v\"}]}",
        "{\"row\":\"r\",\"cells\":[{\"column\":\"f:q\"}]}",
        "{\"row\":\"r\",\"cells\":[{\"column\":\"f:q\",\"type\":\"Wipe\"}]}",
        "{\"row\":\"r\",\"cells\":[{\"column\":\"f:q\",\"type\":null,\"value\":\"v\"}]}",
        "{\"row\":\"r\",\"cells\":[{\"column\":\"f:q\",\"timestamp\":\"x\",\"value\":\"v\"}]}",
        "{\"row\":\"r\",\"cells\":[{\"column\":\"f:q\",\"value\":{\"base64\":\"?\"}}]}",
      })
  void aLineThatIsNoRowIsRefusedWithItsPlace(String line) throws IOException {
    Files.writeString(folder.resolve("a"), "{\"row\":\"r\",\"cells\":[]}\n" + line + "\n");
    assertThatThrownBy(() -> read(new JsonFormat(false, NOW), "a"))
        .isInstanceOf(MalformedRowsException.class)
        .hasMessageContaining("/a, line 2: not a row in JSON: ");
  }

  private static TsvFormat tsv(String columns, boolean skipsEmpty) {
    return new TsvFormat(TsvColumns.parse(columns), (byte) '\t', false, skipsEmpty, NOW);
  }

  @Test
  void tsvHasTheFieldsInTheOrderOfItsColumns() throws IOException {
    byte[] row = Bytes.toBytes("r");
    TsvFormat format = tsv("f:b,HBASE_TS_KEY,HBASE_ROW_KEY,f:none,f:a", true);
    write(
        format,
        "a",
        cell(row, "f:a", 5, new byte[] {'1', -1}),
        cell(row, "f:b", 7, Bytes.toBytes("2")));
    assertThat(Files.readString(folder.resolve("a"), StandardCharsets.ISO_8859_1))
        .isEqualTo("2\t7\tr\t\t1\u00ff\n");
    assertThat(texts(read(format, "a")))
        .containsExactly("r/f:b/7/Put/vlen=1/seqid=0=2", "r/f:a/7/Put/vlen=2/seqid=0=1\\xFF");
    assertThat(read(tsv("f:b,HBASE_TS_KEY,HBASE_ROW_KEY,f:none,f:a", false), "a")).hasSize(3);
  }

  @Test
  void aRowWithASeparatorOrALineEndDoesNotFitIntoTsv() {
    KeyValue tab = cell(Bytes.toBytes("r1"), "f:a", 5, Bytes.toBytes("x\ty"));
    assertThatThrownBy(() -> write(tsv("HBASE_ROW_KEY,f:a", false), "a", tab))
        .hasMessageContaining("row r1 does not fit into TSV: f:a has the separator");
    KeyValue line = cell(Bytes.toBytes("r\n2"), "f:a", 5, Bytes.toBytes("x"));
    assertThatThrownBy(() -> write(tsv("HBASE_ROW_KEY,f:a", false), "a", line))
        .hasMessageContaining("row r\\x0A2 does not fit into TSV: its key has the end of a line");
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "r|1 fields instead of the 3 of --columns",
        "#1#x|the row key is empty",
        "r#now#x|the timestamp is now",
        "r#-1#x|the timestamp is -1",
      },
      delimiter = '|')
  void aLineOfTsvThatIsNoRowIsRefusedWithItsPlace(String line, String reason) throws IOException {
    Files.writeString(folder.resolve("a"), line.replace('#', '\t'));
    assertThatThrownBy(() -> read(tsv("HBASE_ROW_KEY,HBASE_TS_KEY,f:q", false), "a"))
        .isInstanceOf(MalformedRowsException.class)
        .hasMessageContaining("/a, line 1: " + reason);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "f:q",
        "HBASE_ROW_KEY",
        "HBASE_ROW_KEY,HBASE_ROW_KEY,f:q",
        "HBASE_ROW_KEY,HBASE_TS_KEY,HBASE_TS_KEY,f:q",
        "HBASE_ROW_KEY,f:q,HBASE_CELL_TTL",
        "HBASE_ROW_KEY,,f:q",
        "HBASE_ROW_KEY,:q"
      })
  void columnsThatNameNoRowOrNoColumnAreRefused(String columns) {
    assertThatThrownBy(() -> TsvColumns.parse(columns))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
