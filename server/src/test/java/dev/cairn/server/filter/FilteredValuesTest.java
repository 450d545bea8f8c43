package dev.cairn.server.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.Test;

/** Tests which client filters are known to read no values. */
class FilteredValuesTest {
  private static final byte[] KEY = {1};
  private static final Filter FUZZY =
      new FuzzyRowFilter(List.of(new Pair<>(KEY.clone(), new byte[] {0})));
  private static final Filter VALUE =
      new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(KEY));

  @Test
  void filtersOfKeysLookAtNoValue() throws IOException {
    assertThat(areRead(new PrefixFilter(KEY))).isFalse();
    assertThat(areRead(FUZZY)).isFalse();
    assertThat(areRead(new SkipFilter(FUZZY))).isFalse();
    assertThat(areRead(new FilterList(FUZZY, new KeyOnlyFilter()))).isFalse();
  }

  @Test
  void filtersOfValuesAndOfTheirLengthsLookAtThem() throws IOException {
    assertThat(areRead(VALUE)).isTrue();
    assertThat(areRead(new FilterList(FUZZY, VALUE))).isTrue();
    assertThat(areRead(new KeyOnlyFilter(true))).isTrue();
  }

  private static boolean areRead(Filter filter) throws IOException {
    FilterParser parser = TestFilters.parser(FilteredValuesTest.class.getClassLoader());
    return FilteredValues.areRead(parser.filter(ProtobufUtil.toFilter(filter)));
  }
}
