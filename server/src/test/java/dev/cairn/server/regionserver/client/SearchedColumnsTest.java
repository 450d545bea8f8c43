package dev.cairn.server.regionserver.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.scan.IndexHint;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.server.filter.FilterAdapter;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.junit.jupiter.api.Test;

/** The columns of a filter that an index could serve are named, and those of others are not. */
class SearchedColumnsTest {
  private static final byte[] F = Bytes.utf8("f");

  private static Filter filter(String column, ByteArrayComparable value) {
    SingleColumnValueFilter single =
        new SingleColumnValueFilter(F, Bytes.utf8(column), CompareOperator.EQUAL, value);
    single.setFilterIfMissing(true);
    return single;
  }

  private static Filter equal(String column) {
    return filter(column, new BinaryComparator(Bytes.utf8("1")));
  }

  private static Filter and(Filter... filters) {
    return new FilterList(FilterList.Operator.MUST_PASS_ALL, filters);
  }

  private static Filter or(Filter... filters) {
    return new FilterList(FilterList.Operator.MUST_PASS_ONE, filters);
  }

  private static List<String> names(Filter filter) throws IOException {
    return names(filter, builder -> builder);
  }

  private static List<String> names(Filter filter, UnaryOperator<ScanRequest.Builder> scan)
      throws IOException {
    ScanRequest.Builder builder = ScanRequest.builder().filter(new FilterAdapter(filter, false));
    SearchedColumns columns = new SearchedColumns(scan.apply(builder).build());
    assertThat(columns.names()).isSameAs(columns.names()); // found once
    return columns.names();
  }

  @Test
  void columnsWithValuesAreNamed() throws IOException {
    assertThat(names(equal("a"))).containsExactly("f:a");
    byte[] b = Bytes.utf8("b");
    assertThat(names(new ColumnValueFilter(F, b, CompareOperator.LESS, b))).containsExactly("f:b");
    assertThat(names(equal("x,y"))).containsExactly("f:x\\x2Cy");
    assertThat(names(and(equal("b"), new PrefixFilter(F), equal("a"))))
        .containsExactly("f:a", "f:b");
    assertThat(names(or(equal("b"), equal("a")))).containsExactly("f:a", "f:b");
  }

  @Test
  void aConditionOfPresenceNamesNoColumn() throws IOException {
    Filter pattern = filter("p", new RegexStringComparator("a.*b"));
    assertThat(names(pattern)).isEmpty();
    assertThat(names(and(pattern, equal("a")))).containsExactly("f:a");
    assertThat(names(or(pattern, equal("a")))).isEmpty();
  }

  @Test
  void filtersThatKeepOtherRowsNameNoColumn() throws IOException {
    byte[] a = Bytes.utf8("a");
    SingleColumnValueFilter single =
        new SingleColumnValueFilter(F, a, CompareOperator.EQUAL, Bytes.utf8("1"));
    assertThat(names(single)).isEmpty();
    single.setFilterIfMissing(true);
    assertThat(names(single)).containsExactly("f:a");
    assertThat(names(new WhileMatchFilter(equal("a")))).isEmpty();
    assertThat(names(or(equal("a"), new PageFilter(3)))).isEmpty();
  }

  @Test
  void scansThatUseNoIndexNameNoColumn() throws IOException {
    assertThat(names(equal("a"), scan -> scan.raw(true))).isEmpty();
    assertThat(names(equal("a"), scan -> scan.index(IndexHint.NEVER))).isEmpty();
    assertThat(new SearchedColumns(ScanRequest.builder().build()).names()).isEmpty();
    assertThat(SearchedColumns.NONE.names()).isEmpty();
  }

  @Test
  void manyColumnsAndLongNamesAreLeftOut() throws IOException {
    assertThat(names(and(equal("a"), equal("b"), equal("c"), equal("d")))).hasSize(4);
    assertThat(names(and(equal("a"), equal("b"), equal("c"), equal("d"), equal("e")))).isEmpty();
    assertThat(names(equal("q".repeat(127)))).isEmpty();
  }
}
