package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Many actions in one call, and many changes of one row at once. */
class BatchesTest extends WritesInEveryState {
  private static final byte[] UNKNOWN = toBytes("unknown");
  private static final String N6 = "f:n@now=" + WrittenRows.number(6);

  private static Put put(byte[] row) {
    return new Put(row).addColumn(F, A, 30, toBytes("a30"));
  }

  @Test
  void actionsOfAllKinds() throws Exception {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      keys.add(rows.next());
    }
    List<Row> actions =
        List.of(
            put(keys.get(0)),
            new Delete(keys.get(1)).addColumns(F, A),
            new Get(keys.get(2)).addFamily(G),
            new Increment(keys.get(3)).addColumn(F, N, 1),
            new Append(keys.get(4)).addColumn(G, X, toBytes("+")),
            new RowMutations(keys.get(5))
                .add(List.of(put(keys.get(5)), new Delete(keys.get(5)).addFamily(G))),
            new Get(toBytes("nothing")));
    Object[] results = new Object[actions.size()];
    table().batch(actions, results);

    assertThat(((Result) results[0]).isEmpty()).isTrue();
    assertThat(((Result) results[1]).isEmpty()).isTrue();
    assertThat(WrittenRows.texts(TestTable.cells((Result) results[2]))).containsExactly(X10);
    assertThat(WrittenRows.texts(TestTable.cells((Result) results[3]))).containsExactly(N6);
    assertThat(WrittenRows.texts(TestTable.cells((Result) results[4])))
        .containsExactly("g:x@now=x10+");
    assertThat(((Result) results[5]).isEmpty()).isTrue();
    assertThat(((Result) results[6]).isEmpty()).isTrue();
    rows.expect(keys.get(0), "f:a@30=a30", A20, A10, N5, X10);
    rows.expect(keys.get(1), N5, X10);
    rows.expect(keys.get(3), A20, A10, N6, N5, X10);
    rows.expect(keys.get(4), A20, A10, N5, "g:x@now=x10+", X10);
    rows.expect(keys.get(5), "f:a@30=a30", A20, A10, N5);
  }

  @Test
  void whatFailsTellsSoAndTheOthersAreDone() throws Exception {
    byte[] done = rows.next();
    byte[] failed = rows.next();
    List<Row> actions =
        List.of(
            put(done),
            new Put(failed).addColumn(UNKNOWN, A, X),
            new Get(failed).addFamily(UNKNOWN),
            new Increment(failed).addColumn(F, A, 1),
            new Get(failed).addColumn(F, A),
            new RowMutations(failed)
                .add(List.of(put(failed), new Put(failed).addColumn(UNKNOWN, A, X))));
    Object[] results = new Object[actions.size()];
    assertThatThrownBy(() -> table().batch(actions, results))
        .isInstanceOfSatisfying(
            RetriesExhaustedWithDetailsException.class,
            e -> assertThat(e.getNumExceptions()).isEqualTo(4));
    assertThat(((Result) results[0]).isEmpty()).isTrue();
    assertThat(results[1]).isInstanceOf(NoSuchColumnFamilyException.class);
    assertThat(results[2]).isInstanceOf(NoSuchColumnFamilyException.class);
    assertThat(results[3]).isInstanceOf(IOException.class);
    assertThat(((Result) results[4]).value()).isEqualTo(toBytes("a20"));
    assertThat(results[5]).isInstanceOf(NoSuchColumnFamilyException.class);
    rows.expect(done, "f:a@30=a30", A20, A10, N5, X10);
    rows.expect(failed, A20, A10, N5, X10);
  }

  @Test
  void eachResultIsToldAsItComes() throws Exception {
    byte[] first = rows.next();
    byte[] second = rows.next();
    List<String> told = Collections.synchronizedList(new ArrayList<>());
    table()
        .batchCallback(
            List.of(new Get(first).addColumn(F, A), new Increment(second).addColumn(F, N, 1)),
            new Object[2],
            (region, row, result) -> told.add(Bytes.toString(row)));
    assertThat(told).containsExactlyInAnyOrder(Bytes.toString(first), Bytes.toString(second));
  }

  /** HBase leaves open what is done first, and reads before it writes. */
  @Test
  void aRegionsActionsAreDoneInTheirOrder() throws Exception {
    Assumptions.assumeTrue(ServerUnderTest.isCairn());
    byte[] row = rows.next();
    Object[] results = new Object[4];
    table()
        .batch(
            List.of(
                put(row),
                new Get(row).addColumn(F, A),
                new Delete(row).addColumns(F, A, 30),
                new Get(row).addColumn(F, A)),
            results);
    assertThat(((Result) results[1]).value()).isEqualTo(toBytes("a30"));
    assertThat(((Result) results[3]).isEmpty()).isTrue();
    rows.expect(row, N5, X10);
  }

  @Test
  void aListOfPuts() throws IOException {
    byte[] first = rows.next();
    byte[] second = rows.next();
    table().put(List.of(put(first), put(second)));
    rows.expect(first, "f:a@30=a30", A20, A10, N5, X10);
    rows.expect(second, "f:a@30=a30", A20, A10, N5, X10);
  }

  @Test
  void theBufferedMutator() throws IOException {
    byte[] first = rows.next();
    byte[] second = rows.next();
    try (BufferedMutator mutator =
        rows.table().connection().getBufferedMutator(rows.table().name())) {
      mutator.mutate(put(first));
      mutator.mutate(List.of(new Delete(second).addFamily(F)));
      mutator.flush();
      rows.expect(first, "f:a@30=a30", A20, A10, N5, X10);
      mutator.mutate(new Put(second).addColumn(G, A, 1, X));
    }
    rows.expect(second, "g:a@1=x", X10);
  }

  @Test
  void mutateRow() throws IOException {
    byte[] row = rows.next();
    Result result =
        table()
            .mutateRow(
                new RowMutations(row)
                    .add(
                        List.of(
                            put(row),
                            new Delete(row).addColumns(F, N),
                            new Put(row).addColumn(G, A, 5, X))));
    assertThat(result.isEmpty()).isTrue();
    assertThat(result.getExists()).isTrue();
    rows.expect(row, "f:a@30=a30", A20, A10, "g:a@5=x", X10);
  }

  @Test
  void mutateRowWithIncrementsAndAppends() throws IOException {
    byte[] row = rows.next();
    Result result =
        table()
            .mutateRow(
                new RowMutations(row)
                    .add(
                        List.of(
                            new Append(row).addColumn(G, X, toBytes("+")),
                            new Increment(row).addColumn(F, N, 1),
                            put(row))));
    assertThat(WrittenRows.texts(TestTable.cells(result)))
        .as("HBase does not sort them")
        .containsExactlyInAnyOrder(N6, "g:x@now=x10+");
    rows.expect(row, "f:a@30=a30", A20, A10, N6, N5, "g:x@now=x10+", X10);
  }

  @Test
  void mutateRowIsAllOrNothing() throws IOException {
    byte[] row = rows.next();
    RowMutations unknown =
        new RowMutations(row).add(List.of(put(row), new Put(row).addColumn(UNKNOWN, A, X)));
    assertThatThrownBy(() -> table().mutateRow(unknown)).isInstanceOf(IOException.class);
    RowMutations noCounter =
        new RowMutations(row).add(List.of(put(row), new Increment(row).addColumn(F, A, 1)));
    assertThatThrownBy(() -> table().mutateRow(noCounter)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> new RowMutations(row).add(List.of(put(rows.next()))))
        .isInstanceOf(IOException.class);
    rows.expect(row, A20, A10, N5, X10);
  }

  @Test
  void rowMutationsInABatchReturnWhatTheyCounted() throws Exception {
    byte[] first = rows.next();
    byte[] second = rows.next();
    Object[] results = new Object[2];
    table()
        .batch(
            List.of(
                new RowMutations(first)
                    .add(List.of(put(first), new Increment(first).addColumn(F, N, 1))),
                new RowMutations(second)
                    .add(
                        List.of(
                            new Delete(second).addColumns(F, A),
                            new Append(second).addColumn(G, X, toBytes("+"))))),
            results);
    assertThat(WrittenRows.texts(TestTable.cells((Result) results[0]))).containsExactly(N6);
    assertThat(WrittenRows.texts(TestTable.cells((Result) results[1])))
        .containsExactly("g:x@now=x10+");
    rows.expect(first, "f:a@30=a30", A20, A10, N6, N5, X10);
    rows.expect(second, N5, "g:x@now=x10+", X10);
  }

  @Test
  void manyActionsOverBothRegions() throws Exception {
    List<Row> actions = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      byte[] row = toBytes((i % 2 == 0 ? "r00x" : "r09x") + i);
      actions.add(i % 3 == 0 ? new Get(row) : new Put(row).addColumn(F, A, 1, toBytes(i)));
    }
    Object[] results = new Object[actions.size()];
    table().batch(actions, results);
    assertThat(results).doesNotContainNull();
    assertThat(table().exists(new Get(toBytes("r09x1999")))).isTrue();
    assertThat(table().exists(new Get(toBytes("r00x1998")))).isFalse();
  }
}
