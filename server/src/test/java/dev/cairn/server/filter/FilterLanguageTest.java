package dev.cairn.server.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.filter.FilterLanguage.FilterSyntaxException;
import java.nio.charset.CharacterCodingException;
import java.util.EmptyStackException;
import java.util.Random;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.ParseFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterLanguageTest {
  private static final String[] SIMPLE = {
    "KeyOnlyFilter()",
    "FirstKeyOnlyFilter ( )",
    "PrefixFilter('it''s (AND) OR')",
    "PageFilter( 3 )",
    "TimestampsFilter(1, 2,3)",
    "RowFilter(>=, 'binaryprefix:x')",
    "ValueFilter(!=,'substring:a b')",
    "QualifierFilter(=, 'regexstring:a|b')",
    "ColumnPaginationFilter(2,1)",
    "SingleColumnValueFilter('a','b',=,'binary:x',true,false)",
    "DependentColumnFilter('a','b')",
    "MultipleColumnPrefixFilter('a','b','c')",
  };

  @Test
  void readsWhatHBaseReadsTheSameWay() throws CharacterCodingException {
    int compared = 0;
    for (int seed = 0; seed < 300; seed++) {
      String text = expression(new Random(seed), 3);
      String read = FilterLanguage.parse(text).toString();
      try {
        String expected = new ParseFilter().parseFilterString(text).toString();
        assertThat(read).as("seed %d: %s", seed, text).isEqualTo(expected);
        compared++;
      } catch (EmptyStackException | IllegalArgumentException e) {
        // HBase's own reader fails over some operators within parentheses.
        assertThat(text).contains("(");
      }
    }
    assertThat(compared).isGreaterThan(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"\"                                  | 0  | Expected a filter, and the text ends",
        "KeyOnlyFilter                         | 13 | Expected ( behind KeyOnlyFilter",
        "PrefixFilter('a'                      | 16 | Expected ) behind the arguments",
        "PrefixFilter('a                       | 13 | quote that begins is not closed",
        "(KeyOnlyFilter()                      | 16 | The ( at 1 is not closed",
        "KeyOnlyFilter())                      | 15 | A ) without its (",
        "KeyOnlyFilter() KeyOnlyFilter()       | 16 | Expected AND, OR or the end",
        "AND KeyOnlyFilter()                   | 0  | Expected a filter before AND",
        "KeyOnlyFilter() AND                   | 19 | Expected a filter, and the text ends",
        "PageFilter(1) OR OR PageFilter(2)     | 17 | Expected a filter before OR",
        "PageFilter(1) and PageFilter(2)       | 14 | Expected AND, OR or the end",
        "()                                    | 1  | Expected a filter's name",
        "NoFilter('a')                         | 0  | There is no filter NoFilter, only [ColumnCount",
        "SKIP PageFilter(x)                    | 5  | should only contain digits",
        "PrefixFilter(a)                       | 0  | needs a quoted byte array",
        "ColumnPaginationFilter(1)             | 0  | Expected 2 but got: 1",
        "RowFilter(~,'binary:x')               | 0  | Invalid compare operator",
        "RowFilter(=,'nothing:x')              | 0  | Incorrect comparatorType",
        "ValueFilter(=,'regexstring:[')        | 0  | Unclosed character class",
      })
  void errorsNameTheirPlace(String text, int position, String why) {
    assertThatThrownBy(() -> FilterLanguage.parse(text))
        .isInstanceOfSatisfying(
            FilterSyntaxException.class,
            e -> assertThat(e.position()).as(e.getMessage()).isEqualTo(position))
        .hasMessageContaining(why)
        .hasMessageContaining("at position " + (position + 1) + " of: " + text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u0000", "'", "((((", "SKIP", "WHILE WHILE", "PageFilter(", "é()", "\\"})
  void nonsenseIsRefused(String text) {
    assertThatThrownBy(() -> FilterLanguage.parse(text)).isInstanceOf(FilterSyntaxException.class);
  }

  @Test
  void valuesBetweenQuotesAreAnyBytes() {
    byte[] text = Bytes.toBytesBinary("PrefixFilter('\\xFF\\x00a') AND KeyOnlyFilter()");
    FilterList all = (FilterList) FilterLanguage.parse(text);
    PrefixFilter prefix = (PrefixFilter) all.getFilters().get(0);
    assertThat(prefix.getPrefix()).isEqualTo(Bytes.toBytesBinary("\\xFF\\x00a"));
  }

  @Test
  void bytesOfLettersAreReadAsTheirText() {
    String text = "PrefixFilter('\u00fc')";
    PrefixFilter prefix = (PrefixFilter) FilterLanguage.parse(Bytes.toBytes(text));
    assertThat(prefix.getPrefix()).isEqualTo(Bytes.toBytes("\u00fc"));
  }

  @Test
  void registeredFiltersHaveTheirNames() {
    ParseFilter.registerFilter("MyPages", "org.apache.hadoop.hbase.filter.PageFilter");
    ParseFilter.registerFilter("Missing", "com.example.Missing");
    assertThat(FilterLanguage.parse("MyPages(3)").toString()).isEqualTo("PageFilter 3");
    assertThatThrownBy(() -> FilterLanguage.parse("Missing(3)"))
        .isInstanceOf(FilterSyntaxException.class)
        .hasMessageContaining("com.example.Missing");
  }

  private static String expression(Random random, int depth) {
    String simple = SIMPLE[random.nextInt(SIMPLE.length)];
    if (depth == 0) {
      return simple;
    }
    return switch (random.nextInt(6)) {
      case 0 -> "(" + expression(random, depth - 1) + ")";
      case 1 -> "SKIP " + simple;
      case 2 -> "WHILE (" + expression(random, depth - 1) + ")";
      case 3 -> expression(random, depth - 1) + " AND " + expression(random, depth - 1);
      case 4 -> expression(random, depth - 1) + " OR  " + expression(random, depth - 1);
      default -> simple;
    };
  }
}
