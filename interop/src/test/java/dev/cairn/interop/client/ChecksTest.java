package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Changes under a condition, in all forms: {@code checkAndMutate} and what came before it. */
class ChecksTest extends WritesInEveryState {
  private static final byte[] NONE = toBytes("none");
  private static final byte[] D = toBytes("d");

  private static final String[] UNTOUCHED = {
    "f:a@20=a20", "f:a@10=a10", "f:n@10=" + WrittenRows.number(5), "g:x@10=x10"
  };
  private static final String[] DONE = {
    "f:a@20=a20", "f:a@10=a10", "f:d@1=done", "f:n@10=" + WrittenRows.number(5), "g:x@10=x10"
  };

  private static Put done(byte[] row) {
    return new Put(row).addColumn(F, D, 1, toBytes("done"));
  }

  /** A condition that is still without a row. */
  private interface Condition {
    CheckAndMutate.Builder on(CheckAndMutate.Builder row);
  }

  private static void check(boolean holds, Condition condition) throws IOException {
    byte[] row = rows.next();
    CheckAndMutateResult result =
        table().checkAndMutate(condition.on(CheckAndMutate.newBuilder(row)).build(done(row)));
    assertThat(result.isSuccess()).isEqualTo(holds);
    assertThat(result.getResult()).isNull();
    rows.expect(row, holds ? DONE : UNTOUCHED);
  }

  private static boolean holds(CompareOperator operator, int order) {
    return switch (operator) {
      case LESS -> order < 0;
      case LESS_OR_EQUAL -> order <= 0;
      case EQUAL -> order == 0;
      case NOT_EQUAL -> order != 0;
      case GREATER_OR_EQUAL -> order >= 0;
      case GREATER -> order > 0;
      case NO_OP -> throw new IllegalArgumentException();
    };
  }

  @ParameterizedTest
  @EnumSource(value = CompareOperator.class, names = "NO_OP", mode = EnumSource.Mode.EXCLUDE)
  void comparisons(CompareOperator operator) throws IOException {
    check(holds(operator, -1), row -> row.ifMatches(F, A, operator, toBytes("a1")));
    check(holds(operator, 0), row -> row.ifMatches(F, A, operator, toBytes("a20")));
    check(holds(operator, 1), row -> row.ifMatches(F, A, operator, toBytes("b")));
    check(false, row -> row.ifMatches(F, NONE, operator, toBytes("a20")));
  }

  @ParameterizedTest
  @EnumSource(value = CompareOperator.class, names = "NO_OP", mode = EnumSource.Mode.EXCLUDE)
  void comparisonsWithNothing(CompareOperator operator) throws IOException {
    boolean absent = operator != CompareOperator.NOT_EQUAL;
    check(absent, row -> row.ifMatches(F, NONE, operator, null));
    check(!absent, row -> row.ifMatches(F, A, operator, null));
    check(absent, row -> row.ifMatches(F, NONE, operator, new byte[0]));
    check(!absent, row -> row.ifMatches(F, A, operator, new byte[0]));
  }

  @Test
  void existence() throws IOException {
    check(true, row -> row.ifNotExists(F, NONE));
    check(false, row -> row.ifNotExists(F, A));
    check(true, row -> row.ifNotExists(G, A));
    check(true, row -> row.ifEquals(F, A, toBytes("a20")));
    check(false, row -> row.ifEquals(F, A, toBytes("a10")));
    byte[] empty = rows.nextEmpty();
    CheckAndMutate create = CheckAndMutate.newBuilder(empty).ifNotExists(F, A).build(done(empty));
    assertThat(table().checkAndMutate(create).isSuccess()).isTrue();
    rows.expect(empty, "f:d@1=done");
  }

  @Test
  void anEmptyValueIsAsGoodAsNone() throws IOException {
    byte[] row = rows.nextEmpty();
    table().put(new Put(row).addColumn(F, A, 1, new byte[0]));
    CheckAndMutate check = CheckAndMutate.newBuilder(row).ifNotExists(F, A).build(done(row));
    assertThat(table().checkAndMutate(check).isSuccess()).isTrue();
    rows.expect(row, "f:a@1=", "f:d@1=done");
  }

  @Test
  void timeRanges() throws IOException {
    check(true, row -> row.ifEquals(F, A, toBytes("a10")).timeRange(TimeRange.between(0, 20)));
    check(false, row -> row.ifEquals(F, A, toBytes("a20")).timeRange(TimeRange.between(0, 20)));
    check(true, row -> row.ifNotExists(F, A).timeRange(TimeRange.from(21)));
    check(true, row -> row.ifEquals(F, A, toBytes("a20")).timeRange(TimeRange.at(20)));
  }

  @Test
  void filters() throws IOException {
    Filter isA20 = new SingleColumnValueFilter(F, A, CompareOperator.EQUAL, toBytes("a20"));
    Filter isX10 =
        new SingleColumnValueFilter(G, toBytes("x"), CompareOperator.EQUAL, toBytes("x10"));
    Filter isOther =
        new SingleColumnValueFilter(G, toBytes("x"), CompareOperator.EQUAL, toBytes("other"));
    check(true, row -> row.ifMatches(isA20));
    check(false, row -> row.ifMatches(isOther));
    check(true, row -> row.ifMatches(new FilterList(isA20, isX10)));
    check(false, row -> row.ifMatches(new FilterList(isA20, isOther)));
    check(
        true,
        row -> row.ifMatches(new FilterList(FilterList.Operator.MUST_PASS_ONE, isOther, isA20)));
    check(
        false,
        row ->
            row.ifMatches(new QualifierFilter(CompareOperator.EQUAL, new BinaryComparator(NONE))));
    check(
        false,
        row -> row.ifMatches(new RowFilter(CompareOperator.EQUAL, new BinaryComparator(NONE))));
    check(true, row -> row.ifMatches(isA20).timeRange(TimeRange.from(15)));
    check(false, row -> row.ifMatches(new TimestampsFilter(List.of(15L))));
  }

  @Test
  void whatIsDoneMayBeADelete() throws IOException {
    byte[] row = rows.next();
    CheckAndMutate delete =
        CheckAndMutate.newBuilder(row)
            .ifEquals(F, A, toBytes("a20"))
            .build(new Delete(row).addFamily(F));
    assertThat(table().checkAndMutate(delete).isSuccess()).isTrue();
    rows.expect(row, "g:x@10=x10");
  }

  @Test
  void whatIsDoneMayBeAnIncrementOrAnAppend() throws IOException {
    byte[] row = rows.next();
    CheckAndMutateResult sum =
        table()
            .checkAndMutate(
                CheckAndMutate.newBuilder(row)
                    .ifEquals(F, A, toBytes("a20"))
                    .build(new Increment(row).addColumn(F, N, 3)));
    assertThat(sum.isSuccess()).isTrue();
    assertThat(sum.getResult().getValue(F, N)).isEqualTo(toBytes(8L));
    CheckAndMutateResult text =
        table()
            .checkAndMutate(
                CheckAndMutate.newBuilder(row)
                    .ifEquals(F, N, toBytes(8L))
                    .build(new Append(row).addColumn(G, toBytes("x"), toBytes("+"))));
    assertThat(text.getResult().getValue(G, toBytes("x"))).isEqualTo(toBytes("x10+"));
    CheckAndMutateResult no =
        table()
            .checkAndMutate(
                CheckAndMutate.newBuilder(row)
                    .ifEquals(F, N, toBytes(9L))
                    .build(new Increment(row).addColumn(F, N, 100)));
    assertThat(no.isSuccess()).isFalse();
    assertThat(no.getResult()).isNull();
    rows.expect(
        row,
        "f:a@20=a20",
        "f:a@10=a10",
        "f:n@now=" + WrittenRows.number(8),
        "f:n@10=" + WrittenRows.number(5),
        "g:x@now=x10+",
        "g:x@10=x10");
  }

  @Test
  void whatIsDoneMayBeSeveralMutations() throws IOException {
    byte[] row = rows.next();
    CheckAndMutateResult result =
        table()
            .checkAndMutate(
                CheckAndMutate.newBuilder(row)
                    .ifNotExists(F, NONE)
                    .build(
                        new RowMutations(row)
                            .add(
                                List.of(
                                    done(row),
                                    new Delete(row).addColumns(F, A),
                                    new Increment(row).addColumn(F, N, 1),
                                    new Append(row).addColumn(G, toBytes("x"), toBytes("!"))))));
    assertThat(result.isSuccess()).isTrue();
    Result cells = result.getResult();
    assertThat(cells.size()).isEqualTo(2);
    assertThat(cells.getValue(F, N)).isEqualTo(toBytes(6L));
    assertThat(cells.getValue(G, toBytes("x"))).isEqualTo(toBytes("x10!"));
    rows.expect(
        row,
        "f:d@1=done",
        "f:n@now=" + WrittenRows.number(6),
        "f:n@10=" + WrittenRows.number(5),
        "g:x@now=x10!",
        "g:x@10=x10");
  }

  @Test
  void severalMutationsAreNotDoneIfTheConditionFails() throws IOException {
    byte[] row = rows.next();
    CheckAndMutateResult result =
        table()
            .checkAndMutate(
                CheckAndMutate.newBuilder(row)
                    .ifNotExists(F, A)
                    .build(
                        new RowMutations(row)
                            .add(List.of(done(row), new Increment(row).addColumn(F, N, 1)))));
    assertThat(result.isSuccess()).isFalse();
    assertThat(result.getResult()).isNull();
    rows.expect(row, UNTOUCHED);
  }

  @Test
  void aListOfThem() throws IOException {
    byte[] first = rows.next();
    byte[] second = rows.next();
    byte[] third = rows.next();
    List<CheckAndMutateResult> results =
        table()
            .checkAndMutate(
                List.of(
                    CheckAndMutate.newBuilder(first)
                        .ifEquals(F, A, toBytes("a20"))
                        .build(done(first)),
                    CheckAndMutate.newBuilder(second).ifNotExists(F, A).build(done(second)),
                    CheckAndMutate.newBuilder(third)
                        .ifNotExists(F, NONE)
                        .build(new Increment(third).addColumn(F, N, 2))));
    assertThat(results)
        .extracting(CheckAndMutateResult::isSuccess)
        .containsExactly(true, false, true);
    assertThat(results.get(2).getResult().getValue(F, N)).isEqualTo(toBytes(7L));
    rows.expect(first, DONE);
    rows.expect(second, UNTOUCHED);
  }

  @Test
  void amongOtherActionsOfABatch() throws Exception {
    byte[] row = rows.next();
    byte[] other = rows.next();
    List<Row> actions =
        new ArrayList<>(
            List.of(
                new Get(other).addColumn(F, A),
                CheckAndMutate.newBuilder(row).ifNotExists(F, NONE).build(done(row)),
                done(other),
                CheckAndMutate.newBuilder(other)
                    .ifEquals(F, A, toBytes("never"))
                    .build(new Delete(other))));
    Object[] results = new Object[actions.size()];
    table().batch(actions, results);
    assertThat(((Result) results[0]).value()).isEqualTo(toBytes("a20"));
    assertThat(((CheckAndMutateResult) results[1]).isSuccess()).isTrue();
    assertThat(((Result) results[2]).isEmpty()).isTrue();
    assertThat(((CheckAndMutateResult) results[3]).isSuccess()).isFalse();
    rows.expect(row, DONE);
    rows.expect(other, DONE);
  }

  @Test
  @SuppressWarnings("deprecation")
  void theFormOfOlderClients() throws IOException {
    byte[] row = rows.next();
    assertThat(table().checkAndMutate(row, F).qualifier(A).ifNotExists().thenPut(done(row)))
        .isFalse();
    assertThat(
            table()
                .checkAndMutate(row, F)
                .qualifier(A)
                .timeRange(TimeRange.between(0, 20))
                .ifEquals(toBytes("a10"))
                .thenPut(done(row)))
        .isTrue();
    assertThat(
            table()
                .checkAndMutate(
                    row, new SingleColumnValueFilter(F, D, CompareOperator.EQUAL, toBytes("x")))
                .thenDelete(new Delete(row)))
        .isFalse();
    assertThat(
            table()
                .checkAndMutate(row, F)
                .qualifier(A)
                .ifMatches(CompareOperator.LESS, toBytes("a1"))
                .thenMutate(new RowMutations(row).add(List.of(new Delete(row).addFamily(G)))))
        .isTrue();
    rows.expect(row, "f:a@20=a20", "f:a@10=a10", "f:d@1=done", "f:n@10=" + WrittenRows.number(5));
  }

  @Test
  void whatCannotBe() throws IOException {
    byte[] row = rows.next();
    assertThatThrownBy(
            () -> CheckAndMutate.newBuilder(row).ifNotExists(F, A).build(done(toBytes("other"))))
        .isInstanceOf(IllegalArgumentException.class);
    CheckAndMutate unknown =
        CheckAndMutate.newBuilder(row).ifNotExists(toBytes("unknown"), A).build(done(row));
    assertThatThrownBy(() -> table().checkAndMutate(unknown))
        .isInstanceOf(NoSuchColumnFamilyException.class);
    CheckAndMutate intoUnknown =
        CheckAndMutate.newBuilder(row)
            .ifEquals(F, A, toBytes("a20"))
            .build(new Put(row).addColumn(toBytes("unknown"), A, toBytes("v")));
    assertThatThrownBy(() -> table().checkAndMutate(intoUnknown))
        .isInstanceOf(NoSuchColumnFamilyException.class);
    rows.expect(row, UNTOUCHED);
  }
}
