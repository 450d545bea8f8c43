package dev.cairn.server.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import java.util.Optional;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.CompareType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConditionDecoderTest {
  /** The expected value stands on the left; - is no cell, and "empty" an empty value. */
  @ParameterizedTest
  @CsvSource({
    "m, EQUAL, m, true",
    "m, EQUAL, n, false",
    "m, EQUAL, -, false",
    "m, NOT_EQUAL, n, true",
    "m, NOT_EQUAL, -, false",
    "m, LESS, n, true",
    "m, LESS, m, false",
    "m, LESS_OR_EQUAL, m, true",
    "m, GREATER, a, true",
    "m, GREATER, n, false",
    "m, GREATER_OR_EQUAL, m, true",
    "empty, EQUAL, -, true",
    "empty, EQUAL, empty, true",
    "empty, EQUAL, m, false",
    "empty, NOT_EQUAL, m, true",
    "empty, NOT_EQUAL, -, false",
    "empty, NOT_EQUAL, empty, false",
  })
  void comparesAsHBaseDoes(String expected, CompareType comparison, String stored, boolean holds) {
    Optional<Cell> found =
        stored.equals("-")
            ? Optional.empty()
            : Optional.of(
                Cell.put(Bytes.utf8("r"), Bytes.utf8("f"), Bytes.utf8("q"), 1, value(stored)));
    assertThat(ConditionDecoder.holds(comparison, new BinaryComparator(value(expected)), found))
        .isEqualTo(holds);
  }

  private static byte[] value(String text) {
    return text.equals("empty") ? Bytes.EMPTY : Bytes.utf8(text);
  }
}
