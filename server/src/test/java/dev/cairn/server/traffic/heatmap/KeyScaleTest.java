package dev.cairn.server.traffic.heatmap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.engine.cell.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows of a range lie where even traffic would put them. */
class KeyScaleTest {
  private static double place(String low, String end, String row) {
    return new KeyScale(Bytes.utf8(low), Bytes.utf8(end)).place(Bytes.utf8(row));
  }

  @ParameterizedTest
  @CsvSource({
    "user0000, user1000, user0250, 0.25",
    "user04174, user04994, user04500, 0.398",
    "0000aaaa, ffffaaaa, 80000000, 0.5",
    "a, k, f, 0.5",
    "b, d, a, 0",
    "b, d, e, 1"
  })
  void theDigitsAreThoseOfTheRangesEnds(String low, String end, String row, double expected) {
    assertThat(place(low, end, row)).isCloseTo(expected, within(0.005));
  }

  @Test
  void theRowAfterOneOfDigitsIsWrittenInDigitsToo() {
    byte[] end = KeyRange.after(Bytes.utf8("user1000"));
    KeyScale scale = new KeyScale(Bytes.utf8("user0000"), end);
    assertThat(scale.place(Bytes.utf8("user0500"))).isCloseTo(0.5, within(0.005));
  }

  @Test
  void oneRowIsAPoint() {
    KeyScale scale = new KeyScale(Bytes.utf8("row"), KeyRange.after(Bytes.utf8("row")));
    assertThat(scale.isPoint()).isTrue();
    assertThat(scale.place(Bytes.utf8("row"))).isZero();
  }
}
