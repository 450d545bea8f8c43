package dev.cairn.interop.sidebyside;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** Ways to use a table wrongly. Each fails, in the client or at the server, and changes nothing. */
enum Mistake {
  PUT_TO_UNKNOWN_FAMILY((table, row) -> table.put(new Put(row).addColumn(b("no"), b("q"), b("v")))),
  DELETE_FROM_UNKNOWN_FAMILY((table, row) -> table.delete(new Delete(row).addFamily(b("no")))),
  GET_OF_UNKNOWN_FAMILY((table, row) -> table.get(new Get(row).addFamily(b("no")))),
  EXISTS_IN_UNKNOWN_FAMILY((table, row) -> table.exists(new Get(row).addFamily(b("no")))),
  SCAN_OF_UNKNOWN_FAMILY(
      (table, row) -> {
        try (ResultScanner scanner =
            table.getScanner(new Scan().withStartRow(row).addFamily(b("no")))) {
          scanner.next();
        }
      }),
  INCREMENT_IN_UNKNOWN_FAMILY(
      (table, row) -> table.increment(new Increment(row).addColumn(b("no"), b("q"), 1))),
  APPEND_TO_UNKNOWN_FAMILY(
      (table, row) -> table.append(new Append(row).addColumn(b("no"), b("q"), b("v")))),
  BATCH_WITH_UNKNOWN_FAMILY(
      (table, row) ->
          table.batch(
              List.of(
                  new Put(row).addColumn(b("no"), b("q"), b("v")),
                  new Get(row).addFamily(b("no")),
                  new Delete(row).addFamily(b("no"))),
              new Object[3])),
  MUTATE_ROW_WITH_UNKNOWN_FAMILY(
      (table, row) ->
          table.mutateRow(
              RowMutations.of(
                  List.of(
                      new Put(row).addColumn(b("a"), b("q"), b("never")),
                      new Put(row).addColumn(b("no"), b("q"), b("v")))))),
  CHECK_OF_UNKNOWN_FAMILY(
      (table, row) ->
          table.checkAndMutate(
              CheckAndMutate.newBuilder(row)
                  .ifNotExists(b("no"), b("q"))
                  .build(new Put(row).addColumn(b("a"), b("q"), b("never"))))),
  CHECK_AND_PUT_TO_UNKNOWN_FAMILY(
      (table, row) ->
          table.checkAndMutate(
              CheckAndMutate.newBuilder(row)
                  .ifMatches(b("a"), b("none"), CompareOperator.EQUAL, null)
                  .build(new Put(row).addColumn(b("no"), b("q"), b("v"))))),
  CHECKS_OF_UNKNOWN_FAMILY(
      (table, row) ->
          table.checkAndMutate(
              List.of(
                  CheckAndMutate.newBuilder(row)
                      .ifNotExists(b("no"), b("q"))
                      .build(new Put(row).addColumn(b("a"), b("q"), b("never")))))),
  EMPTY_PUT((table, row) -> table.put(new Put(row))),
  EMPTY_INCREMENT((table, row) -> table.increment(new Increment(row))),
  EMPTY_APPEND((table, row) -> table.append(new Append(row))),
  EMPTY_MUTATE_ROW((table, row) -> table.mutateRow(new RowMutations(row))),
  WRONG_ROW_IN_ROW_MUTATIONS(
      (table, row) ->
          new RowMutations(row)
              .add((Mutation) new Put(Bytes.add(row, b("x"))).addColumn(b("a"), b("q"), b("v")))),
  WRONG_ROW_IN_CHECK(
      (table, row) ->
          table.checkAndMutate(
              CheckAndMutate.newBuilder(row)
                  .ifNotExists(b("a"), b("q"))
                  .build(new Put(Bytes.add(row, b("x"))).addColumn(b("a"), b("q"), b("v"))))),
  OLD_CHECK_WITH_WRONG_ROW(
      (table, row) ->
          oldCheck(table, row, new Put(Bytes.add(row, b("x"))).addColumn(b("a"), b("q"), b("v")))),
  NEGATIVE_TIMESTAMP((table, row) -> table.put(new Put(row, -1).addColumn(b("a"), b("q"), b("v")))),
  EMPTY_ROW((table, row) -> table.put(new Put(new byte[0]).addColumn(b("a"), b("q"), b("v")))),
  NEGATIVE_RANGE((table, row) -> table.get(new Get(row).setTimeRange(-5, 10))),
  REVERSED_RANGE((table, row) -> table.get(new Get(row).setTimeRange(10, 5))),
  NO_VERSIONS((table, row) -> table.get(new Get(row).readVersions(0))),
  RAW_SCAN_OF_COLUMNS(
      (table, row) -> {
        try (ResultScanner scanner =
            table.getScanner(new Scan().withStartRow(row).addColumn(b("a"), b("q")).setRaw(true))) {
          scanner.next();
        }
      }),
  BATCH_WITH_ROW_FILTER(
      (table, row) ->
          new Scan()
              .withStartRow(row)
              .setFilter(new SingleColumnValueFilter(b("a"), b("q"), CompareOperator.EQUAL, b("v")))
              .setBatch(2)),
  PUT_IN_DELETE((table, row) -> table.delete(new Delete(row).add(cell(row, Cell.Type.Put)))),
  INCREMENT_BY_TEXT(
      (table, row) -> table.increment(new Increment(row).add(cell(row, Cell.Type.Put))));

  /** What is done. */
  private interface Attempt {
    void run(Table table, byte[] row) throws Exception;
  }

  private final Attempt attempt;

  Mistake(Attempt attempt) {
    this.attempt = attempt;
  }

  /** Makes the mistake. */
  void make(Table table, byte[] row) throws Exception {
    attempt.run(table, row);
  }

  private static byte[] b(String text) {
    return Bytes.toBytes(text);
  }

  @SuppressWarnings("deprecation")
  private static void oldCheck(Table table, byte[] row, Put put) throws IOException {
    table.checkAndMutate(row, b("a")).qualifier(b("q")).ifNotExists().thenPut(put);
  }

  private static Cell cell(byte[] row, Cell.Type type) {
    return CellBuilderFactory.create(CellBuilderType.DEEP_COPY)
        .setRow(row)
        .setFamily(b("a"))
        .setQualifier(b("q"))
        .setTimestamp(1)
        .setType(type)
        .setValue(b("abc"))
        .build();
  }
}
