package dev.cairn.server.advise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.store.StoreFigures;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Reports travel as JSON, and those of several servers give the advice that one would. */
class ReportJsonTest {
  private static TableReport report(int part) {
    Trace trace = new Trace(part);
    trace.writes(i -> String.format(Locale.ROOT, "%010d", 2 * i + part));
    Observation seen = trace.seen();
    return new TableReport(
        seen.facts().schema(),
        List.of(part == 0 ? new byte[0] : Bytes.utf8("5")),
        1_000,
        List.of(Trace.figures(figures -> figures.markers(3))),
        seen.steps(),
        seen.facts().nowMillis());
  }

  @Test
  void whatIsReadIsWhatWasWritten() {
    TableReport report = report(0);
    String text = ReportJson.of(report);
    TableReport read = ReportJson.parse(text);
    assertThat(ReportJson.of(read)).isEqualTo(text);
    assertThat(read.schema()).isEqualTo(report.schema());
    assertThat(read.families()).isEqualTo(report.families());
    assertThat(Adviser.on(TableReport.together(List.of(read), 4)))
        .isEqualTo(Adviser.on(TableReport.together(List.of(report), 4)));
  }

  @Test
  void twoServersSeeTogetherThatKeysGrow() {
    Observation both = TableReport.together(List.of(report(0), report(1)), 2);
    assertThat(both.facts().borders()).hasSize(1);
    assertThat(both.facts().cacheBytes()).isEqualTo(2_000);
    assertThat(both.facts().families())
        .singleElement()
        .extracting(StoreFigures::familyMarkers, StoreFigures::stores)
        .containsExactly(6L, 8);
    assertThat(both.steps()).hasSizeLessThanOrEqualTo(33);
    assertThat(Adviser.on(both).findings())
        .extracting(Finding::rule)
        .containsExactly(Rule.GROWING_KEYS);
  }
}
