package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.junit.jupiter.api.Test;

/** Deletes of versions, columns, families and rows, with and without a timestamp. */
class DeletesTest extends WritesInEveryState {

  private static void delete(Delete delete, String... left) throws IOException {
    rows.table().table().delete(delete);
    rows.expect(delete.getRow(), left);
  }

  private static Delete next() {
    return new Delete(rows.next());
  }

  @Test
  void theNewestVersionOfAColumn() throws IOException {
    delete(next().addColumn(F, A), A10, N5, X10);
  }

  @Test
  void theTwoNewestVersionsOfAColumn() throws IOException {
    Delete first = next().addColumn(F, A);
    delete(first, A10, N5, X10);
    delete(new Delete(first.getRow()).addColumn(F, A), N5, X10);
  }

  @Test
  void aVersionOfAColumn() throws IOException {
    delete(next().addColumn(F, A, 10), A20, N5, X10);
    delete(next().addColumn(F, A, 20), A10, N5, X10);
    delete(next().addColumn(F, A, 15), A20, A10, N5, X10);
  }

  @Test
  void allVersionsOfAColumn() throws IOException {
    delete(next().addColumns(F, A), N5, X10);
  }

  @Test
  void theVersionsOfAColumnUpToOne() throws IOException {
    delete(next().addColumns(F, A, 9), A20, A10, N5, X10);
    delete(next().addColumns(F, A, 10), A20, N5, X10);
    delete(next().addColumns(F, A, 15), A20, N5, X10);
    delete(next().addColumns(F, A, 20), N5, X10);
  }

  @Test
  void aFamily() throws IOException {
    delete(next().addFamily(F), X10);
    delete(next().addFamily(F, 15), A20, X10);
    delete(next().addFamily(G, 9), A20, A10, N5, X10);
    delete(next().addFamily(G).addColumn(F, A), A10, N5);
  }

  @Test
  void aVersionOfAFamily() throws IOException {
    delete(next().addFamilyVersion(F, 10), A20, X10);
    delete(next().addFamilyVersion(F, 20), A10, N5, X10);
    delete(next().addFamilyVersion(F, 15), A20, A10, N5, X10);
  }

  @Test
  void aRow() throws IOException {
    delete(next());
    delete(new Delete(rows.next(), 15), A20);
    delete(new Delete(rows.next(), 20));
    delete(new Delete(rows.next(), 9), A20, A10, N5, X10);
  }

  @Test
  void theDeletesTimestampIsThatOfItsParts() throws IOException {
    delete(new Delete(rows.next(), 15).addFamily(F), A20, X10);
    delete(new Delete(rows.next(), 10).addColumn(F, A), A20, N5, X10);
    delete(new Delete(rows.next(), 10).addColumns(F, A, 20), N5, X10);
    Delete late = next();
    late.setTimestamp(15);
    delete(late, A20);
  }

  @Test
  void severalPartsAtOnce() throws IOException {
    delete(
        next()
            .addColumn(F, A, 20)
            .addColumns(F, toBytes("n"))
            .addColumns(G, toBytes("x"), 9)
            .addColumns(G, toBytes("none")),
        A10,
        X10);
  }

  @Test
  void whatIsNotThere() throws IOException {
    delete(next().addColumn(F, toBytes("none")).addColumns(G, A), A20, A10, N5, X10);
    delete(new Delete(rows.nextEmpty()));
    delete(new Delete(rows.nextEmpty()).addColumn(F, A));
  }

  @Test
  void aFamilyThatDoesNotExistLeavesEverything() throws IOException {
    Delete delete = next().addColumn(F, A).addFamily(toBytes("unknown"));
    assertThatThrownBy(() -> rows.table().table().delete(delete))
        .isInstanceOf(NoSuchColumnFamilyException.class);
    rows.expect(delete.getRow(), A20, A10, N5, X10);
  }

  @Test
  void aPutAtALaterTimeShows() throws IOException {
    Delete delete = next().addFamily(F, 30);
    rows.table().table().delete(delete);
    rows.table()
        .table()
        .put(
            new Put(delete.getRow())
                .addColumn(F, A, 31, toBytes("later"))
                .addColumn(F, toBytes("b"), 30, toBytes("hidden")));
    rows.expect(delete.getRow(), "f:a@31=later", X10);
  }

  @Test
  void aListOfDeletes() throws IOException {
    byte[] first = rows.next();
    byte[] second = rows.next();
    List<Delete> deletes =
        new ArrayList<>(
            List.of(new Delete(first).addFamily(F), new Delete(second).addColumns(F, A)));
    rows.table().table().delete(deletes);
    assertThat(deletes).as("those that failed stay in the list").isEmpty();
    rows.expect(first, X10);
    rows.expect(second, N5, X10);
  }

  @Test
  void markersOfACellBuilder() throws IOException {
    byte[] row = rows.next();
    Delete delete =
        new Delete(row)
            .add(cell(row, A, 10, Cell.Type.Delete))
            .add(cell(row, toBytes("n"), 10, Cell.Type.DeleteColumn));
    delete(delete, A20, X10);
    byte[] family = rows.next();
    delete(new Delete(family).add(cell(family, null, 15, Cell.Type.DeleteFamily)), A20, X10);
    byte[] version = rows.next();
    delete(
        new Delete(version).add(cell(version, null, 20, Cell.Type.DeleteFamilyVersion)),
        A10,
        N5,
        X10);
    assertThatThrownBy(() -> new Delete(row).add(cell(rows.next(), A, 1, Cell.Type.Delete)))
        .as("of another row")
        .isInstanceOf(IOException.class);
  }

  @Test
  void aPutWithMarkers() throws IOException {
    byte[] row = rows.next();
    rows.table()
        .table()
        .put(
            new Put(row)
                .addColumn(F, toBytes("b"), 30, toBytes("b30"))
                .add(cell(row, A, 10, Cell.Type.DeleteColumn)));
    rows.expect(row, A20, "f:b@30=b30", N5, X10);
  }

  private static Cell cell(byte[] row, byte[] qualifier, long timestamp, Cell.Type type) {
    return CellBuilderFactory.create(CellBuilderType.DEEP_COPY)
        .setRow(row)
        .setFamily(F)
        .setQualifier(qualifier)
        .setTimestamp(timestamp)
        .setType(type)
        .build();
  }

  @Test
  void markersAreOfTheTypeAndTimeThatTheClientSays() throws IOException {
    byte[] row = rows.nextEmpty();
    rows.table()
        .table()
        .delete(
            new Delete(row)
                .addFamily(F, 3) // first, since it takes out what the Delete has of the family
                .addFamilyVersion(F, 4)
                .addColumn(F, A, 1)
                .addColumns(F, A, 2)
                .addColumns(F, toBytes("now")));
    Scan raw = new Scan(new Get(row)).setRaw(true).readAllVersions();
    assertThat(WrittenRows.texts(rows.table().scan(raw)))
        .containsExactly(
            "f:@4 DeleteFamilyVersion",
            "f:@3 DeleteFamily",
            "f:a@2 DeleteColumn",
            "f:a@1 Delete",
            "f:now@now DeleteColumn");
  }
}
