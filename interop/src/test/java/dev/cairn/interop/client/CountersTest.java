package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Increments and appends with all their options. */
class CountersTest extends WritesInEveryState {
  private static final byte[] NEW = toBytes("new");

  private static String n(long value) {
    return "f:n@now=" + WrittenRows.number(value);
  }

  @Test
  void amountsOfEitherSign() throws IOException {
    byte[] row = rows.next();
    assertThat(table().incrementColumnValue(row, F, N, 7)).isEqualTo(12);
    rows.expect(row, A20, A10, n(12), N5, X10);
    byte[] down = rows.next();
    assertThat(table().incrementColumnValue(down, F, N, -8)).isEqualTo(-3);
    rows.expect(down, A20, A10, n(-3), N5, X10);
    byte[] fresh = rows.nextEmpty();
    assertThat(table().incrementColumnValue(fresh, F, N, -1)).isEqualTo(-1);
    rows.expect(fresh, n(-1));
  }

  @Test
  void anAmountOfZeroReadsTheCounter() throws IOException {
    byte[] row = rows.next();
    assertThat(table().incrementColumnValue(row, F, N, 0)).isEqualTo(5);
    assertThat(Bytes.toLong(table().get(new Get(row)).getValue(F, N))).isEqualTo(5);
    byte[] fresh = rows.nextEmpty();
    assertThat(table().incrementColumnValue(fresh, F, N, 0)).isZero();
    assertThat(Bytes.toLong(table().get(new Get(fresh)).getValue(F, N))).isZero();
  }

  @Test
  void aCounterOverflowsAsALong() throws IOException {
    byte[] row = rows.nextEmpty();
    assertThat(table().incrementColumnValue(row, F, N, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(table().incrementColumnValue(row, F, N, 1)).isEqualTo(Long.MIN_VALUE);
    rows.expect(row, n(Long.MIN_VALUE), n(Long.MAX_VALUE));
  }

  @Test
  void severalColumnsAndFamiliesInOneIncrement() throws IOException {
    byte[] row = rows.next();
    Result result =
        table()
            .increment(
                new Increment(row)
                    .addColumn(G, toBytes("z"), 1)
                    .addColumn(F, NEW, 2)
                    .addColumn(F, N, 3));
    assertThat(WrittenRows.texts(TestTable.cells(result)))
        .containsExactly(
            n(8), "f:new@now=" + WrittenRows.number(2), "g:z@now=" + WrittenRows.number(1));
    rows.expect(
        row,
        A20,
        A10,
        n(8),
        N5,
        "f:new@now=" + WrittenRows.number(2),
        X10,
        "g:z@now=" + WrittenRows.number(1));
  }

  @Test
  void resultsThatNobodyWants() throws IOException {
    byte[] row = rows.next();
    assertThat(table().increment(new Increment(row).addColumn(F, N, 1).setReturnResults(false)))
        .satisfiesAnyOf(r -> assertThat(r).isNull(), r -> assertThat(r.isEmpty()).isTrue());
    assertThat(table().append(new Append(row).addColumn(F, A, X).setReturnResults(false)))
        .satisfiesAnyOf(r -> assertThat(r).isNull(), r -> assertThat(r.isEmpty()).isTrue());
    rows.expect(row, "f:a@now=a20x", A20, A10, n(6), N5, X10);
  }

  @Test
  void aTimeRangeSaysWhatCounts() throws IOException {
    byte[] row = rows.next();
    Result outside =
        table().increment(new Increment(row).addColumn(F, N, 1).setTimeRange(11, 1000));
    assertThat(Bytes.toLong(outside.getValue(F, N))).isEqualTo(1);
    rows.expect(row, A20, A10, n(1), N5, X10);
    byte[] inside = rows.next();
    Result sum = table().increment(new Increment(inside).addColumn(F, N, 1).setTimeRange(0, 11));
    assertThat(Bytes.toLong(sum.getValue(F, N))).isEqualTo(6);
    byte[] text = rows.next();
    Result appended = table().append(new Append(text).addColumn(F, A, X).setTimeRange(0, 15));
    assertThat(Bytes.toString(appended.getValue(F, A))).isEqualTo("a10x");
    rows.expect(text, "f:a@now=a10x", A20, A10, N5, X10);
  }

  @Test
  void whatIsNoCounter() throws IOException {
    byte[] row = rows.next();
    assertThatThrownBy(() -> table().incrementColumnValue(row, F, A, 1))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("Field is not a long, it's 3 bytes wide");
    assertThatThrownBy(
            () -> table().increment(new Increment(row).addColumn(F, N, 1).addColumn(F, A, 1)))
        .as("all or nothing")
        .isInstanceOf(DoNotRetryIOException.class);
    assertThatThrownBy(() -> table().incrementColumnValue(row, toBytes("unknown"), A, 1))
        .isInstanceOf(NoSuchColumnFamilyException.class);
    assertThatThrownBy(() -> table().increment(new Increment(row)))
        .isInstanceOf(IllegalArgumentException.class);
    rows.expect(row, A20, A10, N5, X10);
  }

  @Test
  void aValueThatWasPutIsACounterIfItHasEightBytes() throws IOException {
    byte[] row = rows.nextEmpty();
    table().put(new Put(row).addColumn(F, N, 1, toBytes("12345678")));
    assertThat(table().incrementColumnValue(row, F, N, 1))
        .isEqualTo(Bytes.toLong(toBytes("12345678")) + 1);
  }

  @Test
  void appends() throws IOException {
    byte[] row = rows.next();
    Result result =
        table()
            .append(
                new Append(row)
                    .addColumn(G, X, toBytes("-g"))
                    .addColumn(F, A, toBytes("-f"))
                    .addColumn(F, NEW, toBytes("new"))
                    .addColumn(F, toBytes("empty"), new byte[0]));
    assertThat(WrittenRows.texts(TestTable.cells(result)))
        .containsExactly("f:a@now=a20-f", "f:empty@now=", "f:new@now=new", "g:x@now=x10-g");
    rows.expect(
        row, "f:a@now=a20-f", A20, A10, "f:empty@now=", N5, "f:new@now=new", "g:x@now=x10-g", X10);
  }

  @Test
  void appendingNothing() throws IOException {
    byte[] row = rows.next();
    Result result = table().append(new Append(row).addColumn(F, A, new byte[0]));
    assertThat(Bytes.toString(result.getValue(F, A))).isEqualTo("a20");
    assertThatThrownBy(() -> table().append(new Append(row)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> table().append(new Append(row).addColumn(toBytes("unknown"), A, A)))
        .isInstanceOf(NoSuchColumnFamilyException.class);
  }

  @Test
  void aTimestampOfOnesOwn() throws IOException {
    byte[] row = rows.nextEmpty();
    table().increment(new Increment(row).setTimestamp(30).addColumn(F, N, 1));
    table().append(new Append(row).setTimestamp(30).addColumn(F, A, X));
    rows.expect(row, "f:a@30=x", "f:n@30=" + WrittenRows.number(1));
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void everyDurability(Durability durability) throws IOException {
    byte[] row = rows.next();
    table().increment(new Increment(row).addColumn(F, N, 1).setDurability(durability));
    table().append(new Append(row).addColumn(F, A, X).setDurability(durability));
    table().put(new Put(row).addColumn(G, NEW, 1, X).setDurability(durability));
    assertThat(table().incrementColumnValue(row, G, N, 2, durability)).isEqualTo(2);
    rows.expect(
        row,
        "f:a@now=a20x",
        A20,
        A10,
        n(6),
        N5,
        "g:n@now=" + WrittenRows.number(2),
        "g:new@1=x",
        X10);
  }
}
