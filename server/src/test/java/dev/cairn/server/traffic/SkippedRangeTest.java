package dev.cairn.server.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.loadsplit.LoadSample;
import dev.cairn.server.loadsplit.LoadSample.Kind;
import dev.cairn.server.traffic.sample.CallStep;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests where scans look at rows that they do not return. */
class SkippedRangeTest {
  private static LoadSample call(Kind kind, String low, String high, int rows, int hidden) {
    byte[] first = Bytes.utf8(low);
    return new LoadSample(kind, first, first, Bytes.utf8(high), 1, rows, hidden, 0, 0);
  }

  private static String text(SkippedRange range) {
    return Bytes.utf8(range.low()) + " to " + Bytes.utf8(range.high());
  }

  @Test
  void overlappingScansAreOneRangeAndTheMostSkippedComesFirst() {
    List<CallStep> steps =
        List.of(
            new CallStep(
                0,
                List.of(
                    call(Kind.SCAN, "b", "d", 10, 6),
                    call(Kind.SCAN, "x", "y", 100, 90),
                    call(Kind.SCAN, "m", "n", 500, 0),
                    call(Kind.GET, "q", "q", 1, 0))),
            new CallStep(1_000, List.of(call(Kind.SCAN, "c", "e", 10, 8))));
    List<SkippedRange> ranges = SkippedRange.of("t", steps, 10);
    assertThat(ranges).extracting(SkippedRangeTest::text).containsExactly("x to y", "b to e");
    assertThat(ranges.get(0).share()).isEqualTo(0.9);
    SkippedRange joined = ranges.get(1);
    assertThat(joined.rows()).isEqualTo(20);
    assertThat(joined.skipped()).isEqualTo(14);
    assertThat(joined.scans()).isEqualTo(2);
    assertThat(SkippedRange.of("t", steps, 1)).hasSize(1);
  }

  @Test
  void aRangeWithinAnotherOneDoesNotCutIt() {
    List<CallStep> steps =
        List.of(
            new CallStep(
                0,
                List.of(
                    call(Kind.SCAN, "a", "z", 10, 1),
                    call(Kind.SCAN, "b", "c", 10, 1),
                    call(Kind.SCAN, "m", "n", 10, 1))));
    assertThat(SkippedRange.of("t", steps, 10))
        .extracting(SkippedRangeTest::text)
        .containsExactly("a to z");
  }
}
