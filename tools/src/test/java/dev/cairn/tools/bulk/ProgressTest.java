package dev.cairn.tools.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Tests the progress of a job. */
class ProgressTest {
  @Test
  void aTerminalShowsABarWithTheRowsAndTheirRate() {
    ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    try (Meter meter =
        new Meter(Optional.of(new PrintStream(terminal, true, StandardCharsets.UTF_8)))) {
      meter.begin("count", 2000, 1000);
      meter.add(12_345);
      meter.advance(1000);
    }
    assertThat(terminal.toString(StandardCharsets.UTF_8))
        .contains("count", "100%", "12,345 rows", "rows/s");
  }

  @Test
  void thePlaceOfARowIsEstimatedFromTheBytesThatDiffer() {
    KeyPosition position = new KeyPosition(Bytes.toBytes("row000"), Bytes.toBytes("row999"));
    assertThat(position.of(Bytes.toBytes("row000"))).isZero();
    assertThat(position.of(Bytes.toBytes("row500"))).isCloseTo(0.55, within(0.05));
    assertThat(position.of(Bytes.toBytes("row999"))).isEqualTo(1);
    assertThat(new KeyPosition(new byte[] {1}, new byte[0]).of(new byte[] {2})).isZero();
  }

  @Test
  void rangesMeetAndComeBackFromTheirText() {
    RowRange all = new RowRange(new byte[0], new byte[0]);
    RowRange range = new RowRange(new byte[] {9, ' ', '\\'}, new byte[] {-1});
    assertThat(RowRange.parse(range.text()).start()).isEqualTo(range.start());
    assertThat(RowRange.parse(range.text()).stop()).isEqualTo(range.stop());
    assertThat(all.intersection(range).text()).isEqualTo(range.text());
    assertThat(range.intersection(all).text()).isEqualTo(range.text());
    assertThat(range.intersection(new RowRange(new byte[] {-1}, new byte[0])).isEmpty()).isTrue();
    RangeState state = new RangeState(2, 70, Optional.of(new byte[] {' ', 0}));
    assertThat(RangeState.parse(state.text()).next())
        .hasValueSatisfying(next -> assertThat(next).containsExactly(' ', 0));
    assertThat(RangeState.parse(new RangeState(2, 70, Optional.empty()).text()).isDone()).isTrue();
  }
}
