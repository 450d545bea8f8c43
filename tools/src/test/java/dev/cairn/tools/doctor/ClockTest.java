package dev.cairn.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.tools.doctor.Finding.Level;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the limits of the difference between the server's clock and the client's. */
class ClockTest {
  @ParameterizedTest
  @CsvSource({
    "0, OK",
    "-9000, OK",
    "9000, OK",
    "-15000, ADVICE",
    "15000, ADVICE",
    "-31000, PROBLEM",
    "31000, PROBLEM",
    "86400000, PROBLEM"
  })
  void aDifferenceIsNamedFromTenSecondsOn(long difference, Level level) {
    Diagnosis diagnosis = new Diagnosis();
    ClientCheck.clock(1_700_000_000_000L + difference, 1_700_000_000_000L, diagnosis);
    assertThat(diagnosis.findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.level()).isEqualTo(level));
  }
}
