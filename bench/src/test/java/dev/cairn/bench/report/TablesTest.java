package dev.cairn.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TablesTest {
  private final Tables tables = new Tables(SampleRun.create(), "new");

  @Test
  void ratiosAreTakenRoundByRound() {
    // 1900 by 1000, 4000 by 2000, 6100 by 3000: not the ratio of the medians alone.
    assertThat(tables.overview("old").lines().filter(line -> line.startsWith("| C ")))
        .singleElement()
        .asString()
        .contains("| 2.00 (1.90 to 2.03) |");
  }

  @Test
  void aWorkloadHasItsFiguresOnEachSideAndTheirRatio() {
    assertThat(tables.workload("C").lines().map(line -> line.replaceAll(" +", " ")))
        .contains(
            "| | new | old | new / old |",
            "| throughput (op/s) | 4,000 (1,900 to 6,100) | 2,000 (1,000 to 3,000) | 2.00 (1.90 to 2.03) |")
        .anyMatch(line -> line.startsWith("| READ p99 (µs) |"))
        .noneMatch(line -> line.contains("p99.99")); // of 2,000 operations
  }

  @Test
  void whatOneSideLacksIsLeftEmpty() {
    assertThat(tables.workload("start").lines().map(line -> line.replaceAll(" +", " ")))
        .contains("| start to first answer (s) | 10.0 |");
    assertThat(tables.overview("old")).doesNotContain("| start");
  }

  @Test
  void allTellsHowItWasMeasured() {
    assertThat(tables.all())
        .contains("# old and new", "2 processors, 3.0 GiB", "commit 0123abc", "records: 1000");
  }

  @Test
  void aSideThatIsNotThereIsRefused() {
    assertThatThrownBy(() -> new Tables(SampleRun.create(), "newer"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[old, new]");
  }

  @Test
  void figuresHaveAsManyDigitsAsAreWorthReading() {
    assertThat(Spread.digits(1234567.8)).isEqualTo("1,234,568");
    assertThat(Spread.digits(123.4)).isEqualTo("123");
    assertThat(Spread.digits(12.34)).isEqualTo("12.3");
    assertThat(Spread.digits(1.234)).isEqualTo("1.23");
    assertThat(Spread.digits(0.01234)).isEqualTo("0.012");
    assertThat(Spread.digits(0)).isEqualTo("0");
  }
}
