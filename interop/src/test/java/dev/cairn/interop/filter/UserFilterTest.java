package dev.cairn.interop.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A user's filter on the server's class path, asked by the client as any other. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UserFilterTest {
  private static final TableName NAME = TableName.valueOf("users_filters");
  private static final byte[] FAMILY = Bytes.toBytes("f");

  private CairnServer server;
  private Connection connection;
  private Table table;

  /** Keeps the cells it sees, hints backwards for ever, and fails at a row if told to. */
  public static final class Stubborn extends FilterBase {
    private final String failsAt;
    private final List<Cell> kept = new ArrayList<>();

    /** Creates a filter that fails at a row; at none, if that is empty. */
    public Stubborn(String failsAt) {
      this.failsAt = failsAt;
    }

    /** Returns the filter of its bytes. */
    public static Stubborn parseFrom(byte[] bytes) {
      return new Stubborn(Bytes.toString(bytes));
    }

    @Override
    public byte[] toByteArray() {
      return Bytes.toBytes(failsAt);
    }

    @Override
    public ReturnCode filterCell(Cell cell) {
      kept.add(cell);
      String row = Bytes.toString(CellUtil.cloneRow(cell));
      if (row.equals(failsAt)) {
        throw new IllegalStateException("does not like " + row);
      }
      assertThat(kept.get(0).getQualifierLength()).isEqualTo(1);
      return row.endsWith("3") ? ReturnCode.INCLUDE : ReturnCode.SEEK_NEXT_USING_HINT;
    }

    @Override
    public Cell getNextCellHint(Cell cell) {
      return kept.get(0);
    }
  }

  @BeforeAll
  void start() throws IOException {
    server = CairnServer.start();
    connection = server.connect();
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
    }
    table = connection.getTable(NAME);
    for (int row = 0; row < 5; row++) {
      table.put(
          new Put(Bytes.toBytes("row" + row))
              .addColumn(FAMILY, Bytes.toBytes("q"), Bytes.toBytes(row)));
    }
  }

  @AfterAll
  void stop() throws IOException {
    table.close();
    connection.close();
    server.close();
  }

  @Test
  void hintsBackwardsDoNotStopAScan() throws IOException {
    assertThat(rows(new Scan().setFilter(new Stubborn("")))).containsExactly("row3");
    assertThat(rows(new Scan().setReversed(true).setFilter(new Stubborn(""))))
        .containsExactly("row3");
  }

  @Test
  void aFilterThatFailsEndsItsRequestAndNothingElse() throws IOException {
    for (Scan scan : List.of(new Scan(), new Scan().setReversed(true), new Scan().setCaching(1))) {
      assertThatThrownBy(() -> rows(scan.setFilter(new Stubborn("row2"))))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining(Stubborn.class.getName())
          .hasMessageContaining("does not like row2");
    }
    Get get = new Get(Bytes.toBytes("row2")).setFilter(new Stubborn("row2"));
    assertThatThrownBy(() -> table.get(get))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("does not like row2");
    assertThat(rows(new Scan())).hasSize(5);
  }

  @Test
  void aFullPageEndsItsRegionAlone() throws IOException {
    assertThat(rows(new Scan().setCaching(1).setFilter(new PageFilter(2))))
        .containsExactly("row0", "row1");
  }

  private List<String> rows(Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      // The scanner's iterator would wrap what is thrown.
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        rows.add(Bytes.toString(result.getRow()));
      }
    }
    return rows;
  }
}
