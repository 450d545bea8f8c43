package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Rows for tests of writing, two regions of them, all with the same cells in the same {@link
 * State}: {@code f:a} with the versions 10 and 20, {@code f:n} with the number 5 and {@code g:x};
 * families keep three versions. Each test writes to rows of its own, and says what they hold then;
 * {@link #verifyInFiles} finds the same after a flush and after a major compaction. In texts a
 * server's time is {@code @now}. One thread.
 */
final class WrittenRows implements AutoCloseable {
  private static final byte[] F = toBytes("f");
  private static final byte[] G = toBytes("g");
  private static final int ROWS = 120;

  private final TestTable table;
  private final Map<String, List<String>> expected = new LinkedHashMap<>();
  private int next;

  WrittenRows(ServerUnderTest server, State state) throws Exception {
    table = server.create("written", new byte[][] {toBytes("r060")}, family("f"), family("g"));
    Mutation[] writes = new Mutation[3];
    List<Put> first = new ArrayList<>();
    List<Put> second = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      byte[] row = toBytes("r%03d".formatted(i));
      first.add(
          new Put(row)
              .addColumn(F, toBytes("a"), 10, toBytes("a10"))
              .addColumn(F, toBytes("n"), 10, toBytes(5L)));
      second.add(
          new Put(row)
              .addColumn(F, toBytes("a"), 20, toBytes("a20"))
              .addColumn(G, toBytes("x"), 10, toBytes("x10")));
    }
    table.table().put(first);
    if (state == State.MIXED) {
      table.flush();
    }
    table.table().put(second);
    state.settle(table);
  }

  private static ColumnFamilyDescriptor family(String name) {
    return ColumnFamilyDescriptorBuilder.newBuilder(toBytes(name)).setMaxVersions(3).build();
  }

  TestTable table() {
    return table;
  }

  /** Returns a row that no test has written to. */
  byte[] next() {
    // Alternating between the regions.
    int number = next++;
    return toBytes("r%03d".formatted(number % 2 * (ROWS / 2) + number / 2));
  }

  /** Returns a row that no test has written to, and that has no cells. */
  byte[] nextEmpty() {
    return toBytes("empty%03d".formatted(next++));
  }

  /** Returns how a number looks in a text. */
  static String number(long value) {
    return Bytes.toStringBinary(toBytes(value));
  }

  /** Checks what a row holds, all versions, each without the row; now and in the end. */
  void expect(byte[] row, String... cells) throws IOException {
    expected.put(Bytes.toString(row), List.of(cells));
    assertThat(cells(Bytes.toString(row))).containsExactly(cells);
  }

  private List<String> cells(String row) throws IOException {
    return texts(table.get(new Get(toBytes(row)).readAllVersions()));
  }

  /** Takes rows and server times out of texts. */
  static List<String> texts(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.substring(cell.indexOf('/') + 1).replaceAll("@\\d{13}", "@now"))
        .toList();
  }

  /** Checks that flush and major compaction leave all rows as the tests left them. */
  void verifyInFiles() throws IOException {
    table.flush();
    for (String row : expected.keySet()) {
      assertThat(cells(row)).as("%s flushed", row).isEqualTo(expected.get(row));
    }
    table.majorCompact();
    for (String row : expected.keySet()) {
      assertThat(cells(row)).as("%s compacted", row).isEqualTo(expected.get(row));
    }
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
