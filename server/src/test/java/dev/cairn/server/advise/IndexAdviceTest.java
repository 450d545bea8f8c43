package dev.cairn.server.advise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.server.advise.Finding.Evidence;
import dev.cairn.server.loadsplit.LoadSample;
import dev.cairn.server.loadsplit.LoadSample.Kind;
import dev.cairn.server.traffic.sample.CallStep;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Indexes are proposed for filtered scans that look at many rows, and unused ones are named. */
class IndexAdviceTest {
  private static final long NOW = Trace.BEGAN + Trace.SECONDS * 1_000L;

  private static String row(Trace trace) {
    return String.format(Locale.ROOT, "%08x", trace.random().nextInt());
  }

  /** Returns calls of which a share are filtered scans, the others gets. */
  private static Trace scans(long seed, double share, Function<String, LoadSample> scan) {
    Trace trace = new Trace(seed);
    return trace.calls(
        i -> trace.random().nextDouble() < share ? scan.apply(row(trace)) : get(row(trace)));
  }

  private static LoadSample get(String row) {
    byte[] bytes = Bytes.utf8(row);
    return new LoadSample(Kind.GET, bytes, bytes, bytes, 1, 1, 0, 10, 1_000);
  }

  private static LoadSample scan(String row, String... columns) {
    return Trace.filtered(row, 10_000, 9_990, 9_000, columns);
  }

  private static Finding only(Trace trace) {
    Advice advice = trace.advice();
    assertThat(advice.findings()).hasSize(1);
    return advice.findings().get(0);
  }

  private static List<String> commands(Finding finding) {
    return finding.proposals().get(0).commands();
  }

  private static double evidence(Finding finding, String what) {
    return finding.evidence().stream()
        .filter(one -> one.what().equals(what))
        .mapToDouble(Evidence::value)
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aSelectiveFilterGetsAnIndex(long seed) {
    Finding finding = only(scans(seed, 0.5, row -> scan(row, "f:city")));
    assertThat(finding.rule()).isEqualTo(Rule.MISSING_INDEX);
    assertThat(finding.sentence())
        .isEqualTo(
            "Scans filter by f:city, which no index has: they look at 1,000 rows for each row that"
                + " they return.");
    assertThat(commands(finding))
        .containsExactly("create_index 't', 'by_city', COLUMNS => 'f:city'");
    assertThat(finding.proposals().get(0).effect().before()).isCloseTo(1_000, Offset.offset(1.0));
    assertThat(finding.proposals().get(0).effect().after()).isEqualTo(1);
    assertThat(evidence(finding, "their share of the rows that reads look at")).isGreaterThan(0.99);
    assertThat(evidence(finding, "their share of the processor time of all calls"))
        .isBetween(0.8, 0.95);
  }

  @Test
  void aFilterOfSeveralColumnsGetsOneIndexOfThem() {
    assertThat(commands(only(scans(4, 0.5, row -> scan(row, "f:age", "f:city")))))
        .containsExactly("create_index 't', 'by_age_city', COLUMNS => ['f:age', 'f:city']");
  }

  @Test
  void columnsThatHaveAnIndexAreLeftOut() {
    IndexFigures used = new IndexFigures("by_age", true, 1, 0, 1);
    assertThat(
            commands(only(scans(4, 0.5, row -> scan(row, "f:age", "f:city")).index("f:age", used))))
        .containsExactly("create_index 't', 'by_city', COLUMNS => 'f:city'");
    assertThat(scans(4, 0.5, row -> scan(row, "f:age")).index("f:age", used).rules()).isEmpty();
  }

  @Test
  void anIndexGetsANameThatIsFreeAndTheColumnAsTheShellReadsIt() {
    IndexFigures used = new IndexFigures("by_a_x01", true, 1, 0, 1);
    assertThat(commands(only(scans(4, 0.5, row -> scan(row, "f:a\\x01")).index("f:other", used))))
        .containsExactly("create_index 't', 'by_a_x01_2', COLUMNS => \"f:a\\x01\"");
    assertThat(commands(only(scans(4, 0.5, row -> scan(row, "f:a'b")))))
        .containsExactly("create_index 't', 'by_a_b', COLUMNS => 'f:a\\'b'");
  }

  @Test
  void filtersThatReturnManyRowsNeedNoIndex() {
    assertThat(scans(5, 0.5, row -> Trace.filtered(row, 10_000, 9_700, 1, "f:city")).rules())
        .isEmpty();
  }

  @Test
  void scansOfFewRowsNeedNoIndex() {
    assertThat(scans(5, 0.5, row -> Trace.filtered(row, 400, 400, 1, "f:city")).rules()).isEmpty();
  }

  @Test
  void scansWhoseFilterNoIndexServesGetNone() {
    assertThat(scans(5, 0.5, row -> scan(row)).rules()).isEmpty();
  }

  @Test
  void rareScansNeedNoIndex() {
    assertThat(scans(5, 0.01, row -> scan(row, "f:city")).rules()).isEmpty(); // too few samples
    Trace trace = new Trace(5);
    trace.calls(
        i ->
            i % 10 == 0
                ? scan(row(trace), "f:city")
                : Trace.scan(row(trace), "z", 20_000, 0)); // a small part of the rows
    assertThat(trace.rules()).isEmpty();
  }

  @Test
  void ofFewCallsNothingIsSaid() {
    Trace trace = scans(5, 1, row -> scan(row, "f:city"));
    IndexFigures unused = new IndexFigures("i", true, 0, NOW - Duration.ofDays(9).toMillis(), 7);
    trace.index("f:other", unused);
    TableFacts facts = trace.seen().facts();
    for (int calls : new int[] {99, 100}) {
      List<LoadSample> few =
          IntStream.range(0, calls).mapToObj(i -> scan(row(trace), "f:city")).toList();
      Advice advice = Adviser.on(new Observation(facts, List.of(new CallStep(Trace.BEGAN, few))));
      assertThat(advice.findings()).hasSize(calls == 99 ? 0 : 2);
    }
  }

  @Test
  void columnsOfMobFamiliesGetNone() {
    Trace trace = scans(5, 0.5, row -> scan(row, "f:city", "gone:city"));
    trace.of(FamilySchema.of("f", Map.of("IS_MOB", "true")));
    assertThat(trace.rules()).isEmpty();
  }

  @Test
  void rowsThatAFilterDropsAreNotTakenForDeletedOnes() {
    Trace trace = scans(6, 0.5, row -> scan(row, "f:city"));
    trace.files(Trace.figures(files -> files.markers(100)));
    assertThat(trace.rules()).containsExactly(Rule.MISSING_INDEX);
  }

  private static Trace unused(boolean isComplete, long uses, Duration since) {
    Trace trace = new Trace(7);
    return trace
        .gets(i -> row(trace))
        .index("f:city", new IndexFigures("i", isComplete, uses, NOW - since.toMillis(), 5 << 20));
  }

  @Test
  void anIndexThatNoScanUsesIsNamed() {
    Finding finding = only(unused(true, 0, Duration.ofDays(3)));
    assertThat(finding.rule()).isEqualTo(Rule.UNUSED_INDEX);
    assertThat(finding.sentence())
        .startsWith("No scan has used the index i since 2023-11-11T22:14:00Z, when the last of");
    assertThat(commands(finding)).containsExactly("drop_index 't', 'i'");
    assertThat(AdviceText.effect(finding.proposals().get(0).effect()))
        .isEqualTo("the index in store files: 5.0 MB -> 0 bytes");
    assertThat(evidence(finding, "hours without a use")).isEqualTo(72);
  }

  @Test
  void anIndexThatMayStillBeUsedIsNotNamed() {
    assertThat(unused(true, 1, Duration.ofDays(3)).rules()).isEmpty();
    assertThat(unused(true, 0, Duration.ofHours(24)).rules()).isEmpty();
    assertThat(unused(false, 0, Duration.ofDays(3)).rules()).isEmpty(); // being built
    Observation whole = unused(true, 0, Duration.ofDays(3)).seen();
    TableFacts facts = whole.facts();
    TableFacts part =
        new TableFacts(
            facts.schema(),
            facts.borders(),
            false,
            OptionalInt.of(4),
            0,
            facts.families(),
            facts.indexes(),
            facts.nowMillis());
    assertThat(Adviser.on(new Observation(part, whole.steps())).findings()).isEmpty();
  }
}
