package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which rows a scan returns, in which order and how many at a time: a table of four regions, of
 * which one is empty and one begins with deleted rows.
 */
@ParameterizedClass
@EnumSource(State.class)
class ScanRangeTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  private static final byte[] F = toBytes("f");

  /** The regions: up to d (empty), up to f, up to h (g1 and g2 are deleted), the rest. */
  private static final byte[][] SPLITS = {toBytes("d"), toBytes("f"), toBytes("h")};

  private static final List<String> ROWS =
      List.of("d", "e1", "e2", "e3", "f", "g", "g3", "h", "h\\x00", "i", "z");

  private static TestTable table;

  @Parameter State state;

  @BeforeParameterizedClassInvocation
  static void fill(State state) throws Exception {
    table = SERVER.create("ranges", SPLITS, ColumnFamilyDescriptorBuilder.of(F));
    List<Mutation> mutations = new ArrayList<>();
    for (String row : ROWS) {
      mutations.add(
          new Put(Bytes.toBytesBinary(row))
              .addColumn(F, toBytes("a"), 1, toBytes(row))
              .addColumn(F, toBytes("b"), 1, toBytes(row)));
    }
    for (String row : List.of("g1", "g2")) {
      mutations.add(new Put(toBytes(row)).addColumn(F, toBytes("a"), 1, toBytes(row)));
      mutations.add(new Delete(toBytes(row)));
    }
    Collections.rotate(mutations, 4);
    mutations.sort((a, b) -> Boolean.compare(a instanceof Delete, b instanceof Delete));
    state.write(table, mutations.toArray(new Mutation[0]));
  }

  @AfterParameterizedClassInvocation
  static void close() throws IOException {
    table.close();
  }

  private static List<String> between(String from, boolean with, String to, boolean withTo) {
    List<String> rows = new ArrayList<>();
    for (String row : ROWS) {
      byte[] key = Bytes.toBytesBinary(row);
      int start = Bytes.compareTo(key, toBytes(from));
      int stop = to.isEmpty() ? -1 : Bytes.compareTo(key, toBytes(to));
      if ((start > 0 || with && start == 0) && (stop < 0 || withTo && stop == 0)) {
        rows.add(row);
      }
    }
    return rows;
  }

  @Test
  void allRowsInBothDirections() throws IOException {
    assertThat(table.rows(new Scan())).isEqualTo(ROWS);
    List<String> backwards = new ArrayList<>(ROWS);
    Collections.reverse(backwards);
    assertThat(table.rows(new Scan().setReversed(true))).isEqualTo(backwards);
  }

  @Test
  void everyRangeWithAndWithoutItsEnds() throws IOException {
    String[] ends = {"", "c", "d", "e2", "f", "g1", "h", "h0", "z", "zz"};
    for (String from : ends) {
      for (String to : ends) {
        if (!to.isEmpty() && from.compareTo(to) > 0) {
          continue;
        }
        for (int flags = 0; flags < 4; flags++) {
          boolean with = (flags & 1) == 0;
          boolean withTo = (flags & 2) != 0;
          if (from.equals(to) && !from.isEmpty()) {
            with = true; // equal ends mean one row, or none, and nothing else
          }
          List<String> expected = between(from, with, to, withTo);
          Scan scan = new Scan().withStartRow(toBytes(from), with).withStopRow(toBytes(to), withTo);
          assertThat(table.rows(scan)).as("%s", scan).isEqualTo(expected);
          Collections.reverse(expected);
          Scan reversed =
              new Scan()
                  .setReversed(true)
                  .withStartRow(toBytes(to), withTo || to.isEmpty())
                  .withStopRow(toBytes(from), with || from.isEmpty());
          assertThat(table.rows(reversed)).as("%s", reversed).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void theWrongWayRoundThereIsNothing() throws IOException {
    assertThat(table.rows(new Scan().withStartRow(toBytes("h")).withStopRow(toBytes("e"))))
        .isEmpty();
    assertThat(
            table.rows(
                new Scan().setReversed(true).withStartRow(toBytes("e")).withStopRow(toBytes("h"))))
        .isEmpty();
  }

  @Test
  void prefixes() throws IOException {
    assertThat(table.rows(new Scan().setStartStopRowForPrefixScan(toBytes("e"))))
        .containsExactly("e1", "e2", "e3");
    assertThat(table.rows(new Scan().setStartStopRowForPrefixScan(toBytes("h"))))
        .containsExactly("h", "h\\x00");
    assertThat(table.rows(new Scan().setStartStopRowForPrefixScan(toBytes("x")))).isEmpty();
    assertThat(table.rows(new Scan().setStartStopRowForPrefixScan(new byte[] {-1}))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 100})
  void cachingChangesNothing(int rowsPerCall) throws IOException {
    assertThat(table.rows(new Scan().setCaching(rowsPerCall))).isEqualTo(ROWS);
    assertThat(table.rows(new Scan().setCaching(rowsPerCall).setReversed(true)))
        .hasSameElementsAs(ROWS)
        .first()
        .isEqualTo("z");
    assertThat(table.rows(new Scan().setCaching(rowsPerCall).withStartRow(toBytes("f"))))
        .isEqualTo(between("f", true, "", true));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 5, 11, 50})
  void limits(int limit) throws IOException {
    int most = Math.min(limit, ROWS.size());
    assertThat(table.rows(new Scan().setLimit(limit))).isEqualTo(ROWS.subList(0, most));
    assertThat(table.rows(new Scan().setLimit(limit).setCaching(2)))
        .isEqualTo(ROWS.subList(0, most));
    List<String> last = new ArrayList<>(ROWS.subList(ROWS.size() - most, ROWS.size()));
    Collections.reverse(last);
    assertThat(table.rows(new Scan().setLimit(limit).setReversed(true))).isEqualTo(last);
  }

  @Test
  void oneRowOnly() throws IOException {
    assertThat(table.rows(new Scan().setOneRowLimit())).containsExactly("d");
    assertThat(table.rows(new Scan().withStartRow(toBytes("f0")).setOneRowLimit()))
        .containsExactly("g");
    assertThat(table.rows(new Scan().withStartRow(toBytes("zz")).setOneRowLimit())).isEmpty();
  }

  @Test
  void limitsCountRowsThatPassTheFilter() throws IOException {
    assertThat(
            table.rows(
                new Scan()
                    .withStartRow(toBytes("e2"))
                    .setFilter(new FirstKeyOnlyFilter())
                    .setLimit(3)))
        .containsExactly("e2", "e3", "f");
    assertThat(
            table.rows(
                new Scan()
                    .withStartRow(toBytes("g"))
                    .withStopRow(toBytes("h"))
                    .setFilter(new PageFilter(1))))
        .containsExactly("g");
  }

  @ParameterizedTest
  @EnumSource(Scan.ReadType.class)
  void howToReadChangesNothing(Scan.ReadType type) throws IOException {
    assertThat(table.rows(new Scan().setReadType(type))).isEqualTo(ROWS);
    assertThat(table.rows(new Scan().setReadType(type).setReversed(true))).hasSameElementsAs(ROWS);
    assertThat(
            table.rows(
                new Scan()
                    .setReadType(type)
                    .setCacheBlocks(false)
                    .withStartRow(toBytes("e2"))
                    .setLimit(4)))
        .containsExactly("e2", "e3", "f", "g");
  }

  @Test
  @SuppressWarnings("deprecation")
  void smallScansOfOlderClients() throws IOException {
    assertThat(table.rows(new Scan().setSmall(true))).isEqualTo(ROWS);
    assertThat(table.rows(new Scan().setSmall(true).setReversed(true))).hasSameElementsAs(ROWS);
    assertThat(table.rows(new Scan().setSmall(true).setCaching(2).withStartRow(toBytes("e2"))))
        .isEqualTo(between("e2", true, "", true));
  }

  @Test
  void severalRowsAtATime() throws IOException {
    try (ResultScanner scanner = table.table().getScanner(new Scan().setCaching(3))) {
      assertThat(scanner.next(4)).hasSize(4);
      assertThat(Bytes.toString(scanner.next().getRow())).isEqualTo("f");
      assertThat(scanner.next(100)).hasSize(6);
      assertThat(scanner.next(2)).isEmpty();
      assertThat(scanner.next()).isNull();
      assertThat(scanner.next()).isNull();
    }
  }

  @Test
  void aScannerMayBeClosedAnywhere() throws IOException {
    for (int rows = 0; rows < ROWS.size(); rows++) {
      try (ResultScanner scanner = table.table().getScanner(new Scan().setCaching(2))) {
        List<String> found = new ArrayList<>();
        for (Result result : scanner.next(rows)) {
          found.add(Bytes.toStringBinary(result.getRow()));
        }
        assertThat(found).isEqualTo(ROWS.subList(0, rows));
      }
    }
  }

  @Test
  void deletedRowsAtARegionsBeginningAreSkipped() throws IOException {
    assertThat(table.rows(new Scan().withStartRow(toBytes("g1")).setLimit(1)))
        .containsExactly("g3");
    assertThat(table.rows(new Scan().setReversed(true).withStartRow(toBytes("g2")).setLimit(1)))
        .containsExactly("g");
  }
}
