package dev.cairn.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.page.Table.TableSlice;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A request selects, orders and pages the rows of a table. */
class TableTest {
  private record Row(String name, long size) {}

  private static final Table<Row> TABLE =
      Table.of(
              "t",
              "T",
              List.of(
                  new Row("beta", 2), new Row("Alpha", 10), new Row("gamma", 0), new Row("a", 1)))
          .text("name", "Name", Row::name)
          .column(
              "size",
              "Size",
              Kind.BYTES,
              row -> row.size() == 0 ? Value.NONE : Value.bytes(row.size()))
          .build();

  private static TableSlice slice(Table<Row> table, String... parameters) {
    Map<String, String> all = new java.util.HashMap<>();
    for (int i = 0; i < parameters.length; i += 2) {
      all.put("t." + parameters[i], parameters[i + 1]);
    }
    return table.slice(new PageRequest("p", all));
  }

  private static List<String> names(TableSlice slice) {
    return slice.rows().stream().map(row -> row.get(0).shown()).toList();
  }

  @Test
  void numbersAreOrderedBySizeAndAbsentOnesComeLast() {
    assertThat(names(slice(TABLE, "sort", "size"))).containsExactly("a", "beta", "Alpha", "gamma");
    assertThat(names(slice(TABLE, "sort", "-size"))).containsExactly("Alpha", "beta", "a", "gamma");
  }

  @Test
  void theFilterFindsTextInAnyCase() {
    TableSlice slice = slice(TABLE, "filter", "AL");
    assertThat(names(slice)).containsExactly("Alpha");
    assertThat(slice.total()).isEqualTo(4);
    assertThat(slice.matching()).isEqualTo(1);
  }

  @Test
  void aPageAfterTheLastIsTheLast() {
    assertThat(names(slice(TABLE, "size", "3", "page", "2"))).containsExactly("a");
    assertThat(names(slice(TABLE, "size", "3", "page", "99999"))).containsExactly("a");
  }

  @Test
  void wrongParametersCountAsAbsent() {
    for (String wrong : List.of("", "-1", "0", "x", "1e9", "99999999999999999999", "1 OR 1")) {
      assertThat(names(slice(TABLE, "size", wrong, "page", wrong, "sort", wrong)))
          .as(wrong)
          .containsExactly("beta", "Alpha", "gamma", "a");
    }
  }

  @Test
  void sizesAndTimesAreWrittenForPeople() {
    assertThat(Value.bytes(0).shown()).isEqualTo("0 B");
    assertThat(Value.bytes(1536).shown()).isEqualTo("1.5 KiB");
    assertThat(Value.count(1_234_567).shown()).isEqualTo("1,234,567");
    assertThat(Value.ratio(1).shown()).isEqualTo("100 %");
    assertThat(Value.millis(950).shown()).isEqualTo("950 ms");
    assertThat(Value.millis(90_061_000).shown()).isEqualTo("1 d 1 h");
    assertThat(Value.time(1_700_000_000_000L).shown()).isEqualTo("2023-11-14 22:13:20");
  }
}
