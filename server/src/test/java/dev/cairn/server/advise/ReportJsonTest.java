package dev.cairn.server.advise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.store.StoreFigures;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Reports travel as JSON, and those of several servers give the advice that one would. */
class ReportJsonTest {
  private static TableReport report(int part) {
    Trace trace = new Trace(part);
    trace.writes(i -> String.format(Locale.ROOT, "%010d", 2 * i + part));
    trace.index("f:a", new IndexFigures("i", true, part, 1_000 + part, 500));
    Observation seen = trace.seen();
    return new TableReport(
        seen.facts().schema(),
        List.of(part == 0 ? range("", "5") : range("5", "")),
        1_000,
        List.of(Trace.figures(figures -> figures.markers(3))),
        seen.facts().indexes(),
        seen.steps(),
        seen.facts().nowMillis());
  }

  private static RegionRange range(String start, String end) {
    return new RegionRange(Bytes.utf8(start), Bytes.utf8(end));
  }

  /** Returns the report of a server with some regions; the first region has all requests. */
  private static TableReport busyFirst(RegionRange... regions) {
    Trace trace = new Trace(1);
    String prefix = Bytes.utf8(regions[0].start());
    trace.gets(i -> prefix + String.format(Locale.ROOT, "%06d", trace.random().nextInt(1_000_000)));
    Observation seen = trace.seen();
    return new TableReport(
        seen.facts().schema(),
        List.of(regions),
        0,
        List.of(),
        List.of(),
        seen.steps(),
        seen.facts().nowMillis());
  }

  private static Advice advice(TableReport... reports) {
    return Adviser.on(TableReport.together(List.of(reports), OptionalInt.of(2)));
  }

  @Test
  void aServerWithOneRegionSeesNoUnequalRegions() {
    Advice advice = advice(busyFirst(range("m", "z")));
    assertThat(advice.findings()).isEmpty();
    assertThat(advice.gaps()).anyMatch(gap -> gap.startsWith("Some regions of the table"));
  }

  @Test
  void bordersOfRegionsAreJudgedOnlyIfAllAreKnown() {
    TableReport middle = busyFirst(range("m", "t"), range("t", "z"));
    assertThat(advice(middle).findings()).isEmpty();
    Advice whole = advice(middle, report(range("", "m")), report(range("z", "")));
    assertThat(whole.findings()).extracting(Finding::rule).containsExactly(Rule.SKEWED_PREFIXES);
    assertThat(whole.gaps()).noneMatch(gap -> gap.startsWith("Some regions of the table"));
  }

  @Test
  void aRegionThatMovesBetweenTwoReportsIsOneRegion() {
    TableFacts facts =
        TableReport.together(
                List.of(report(range("", "m")), report(range("", "m")), report(range("m", ""))),
                OptionalInt.empty())
            .facts();
    assertThat(facts.regions()).isEqualTo(2);
    assertThat(facts.isWhole()).isTrue();
  }

  /** Returns the report of a server with a region without calls. */
  private static TableReport report(RegionRange region) {
    TableReport other = report(0);
    return new TableReport(
        other.schema(), List.of(region), 0, List.of(), List.of(), List.of(), other.nowMillis());
  }

  @Test
  void whatIsReadIsWhatWasWritten() {
    TableReport report = report(0);
    String text = ReportJson.of(report);
    TableReport read = ReportJson.parse(text);
    assertThat(ReportJson.of(read)).isEqualTo(text);
    assertThat(read.schema()).isEqualTo(report.schema());
    assertThat(read.families()).isEqualTo(report.families());
    assertThat(read.indexes()).isEqualTo(report.indexes()).hasSize(1);
    assertThat(Adviser.on(TableReport.together(List.of(read), OptionalInt.of(4))))
        .isEqualTo(Adviser.on(TableReport.together(List.of(report), OptionalInt.of(4))));
  }

  @Test
  void columnsOfFiltersAreRead() {
    Trace trace = new Trace(3);
    trace.calls(i -> Trace.filtered("r", 900, 899, 16_000, "f:a", "f:b"));
    Observation seen = trace.seen();
    TableReport report =
        new TableReport(
            seen.facts().schema(),
            List.of(range("", "")),
            0,
            List.of(),
            List.of(),
            seen.steps(),
            seen.facts().nowMillis());
    TableReport read = ReportJson.parse(ReportJson.of(report));
    assertThat(read.steps().get(0).calls().get(0).searched()).containsExactly("f:a", "f:b");
    assertThat(Adviser.on(TableReport.together(List.of(read), OptionalInt.of(4))))
        .isEqualTo(Adviser.on(TableReport.together(List.of(report), OptionalInt.of(4))));
  }

  @Test
  void anIndexIsUsedIfOneServerUsesItAndCompleteIfAllHaveIt() {
    Observation both = TableReport.together(List.of(report(0), report(1)), OptionalInt.of(2));
    assertThat(both.facts().indexes())
        .containsExactly(new IndexFigures("i", true, 1, 1_001, 1_000));
    String older = ReportJson.of(report(1)).replaceAll("\"indexes\":\\[[^]]*],", "");
    both = TableReport.together(List.of(report(0), ReportJson.parse(older)), OptionalInt.of(2));
    assertThat(both.facts().indexes().get(0).isComplete()).isFalse();
  }

  @Test
  void twoServersSeeTogetherThatKeysGrow() {
    Observation both = TableReport.together(List.of(report(0), report(1)), OptionalInt.of(2));
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
