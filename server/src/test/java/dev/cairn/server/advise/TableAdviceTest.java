package dev.cairn.server.advise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.store.StoreFigures;
import dev.cairn.server.advise.Finding.Effect;
import dev.cairn.server.loadsplit.LoadSample.Kind;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Each rule about descriptors and files speaks in one case and is silent in another. */
class TableAdviceTest {
  private static final long DAY = 86_400_000L;

  private static Trace idle() {
    return new Trace(7);
  }

  private static Trace gets() {
    Trace trace = new Trace(7);
    return trace.gets(i -> row(trace));
  }

  private static Trace scans(int hidden) {
    Trace trace = new Trace(7);
    return trace.calls(
        i -> {
          String row = row(trace);
          return Trace.scan(row, row + "9", 500, hidden);
        });
  }

  private static String row(Trace trace) {
    return String.format(Locale.ROOT, "%08x", trace.random().nextInt());
  }

  private static FamilySchema family(String... attributes) {
    Map<String, String> pairs = new java.util.TreeMap<>();
    for (int i = 0; i < attributes.length; i += 2) {
      pairs.put(attributes[i], attributes[i + 1]);
    }
    return FamilySchema.of("f", pairs);
  }

  private static StoreFigures files(Function<Trace.Figures, Trace.Figures> change) {
    return Trace.figures(change);
  }

  private static Effect effect(Trace trace, Rule rule) {
    Advice advice = trace.advice();
    assertThat(advice.findings()).extracting(Finding::rule).containsExactly(rule);
    return advice.findings().get(0).proposals().get(0).effect();
  }

  private static List<String> commands(Trace trace) {
    return trace.advice().findings().get(0).proposals().get(0).commands();
  }

  @Test
  void aHealthyTableNeedsNothing() {
    assertThat(gets().files(files(f -> f)).rules()).isEmpty();
    assertThat(scans(0).files(files(f -> f)).rules()).isEmpty();
  }

  @Test
  void namesLongerThanTheirValuesAreEncoded() {
    Trace trace = idle().files(files(f -> f.rows(50_000).cellBytes(92, 8)));
    Effect effect = effect(trace, Rule.LONG_NAMES);
    assertThat(effect.before()).isEqualTo(108);
    assertThat(effect.after()).isLessThan(60);
    assertThat(commands(trace))
        .containsExactly(
            "alter 't', {NAME => 'f', DATA_BLOCK_ENCODING => 'FAST_DIFF'}",
            "major_compact 't', 'f'");
  }

  @Test
  void namesThatAreEncodedOrShortAreFine() {
    assertThat(idle().files(files(f -> f.cellBytes(92, 100))).rules()).isEmpty();
    assertThat(
            idle()
                .of(family("DATA_BLOCK_ENCODING", "FAST_DIFF"))
                .files(files(f -> f.cellBytes(92, 8)))
                .rules())
        .isEmpty();
  }

  @Test
  void fourFamiliesAreTooMany() {
    Trace trace =
        idle()
            .of(
                FamilySchema.of("a"),
                FamilySchema.of("b"),
                FamilySchema.of("c"),
                FamilySchema.of("d"));
    assertThat(effect(trace, Rule.MANY_FAMILIES).before()).isEqualTo(4);
    assertThat(idle().of(FamilySchema.of("a"), FamilySchema.of("b")).rules()).isEmpty();
  }

  @Test
  void hundredsOfVersionsAreTooMany() {
    Trace trace = idle().of(family("VERSIONS", "1000"));
    assertThat(effect(trace, Rule.MANY_VERSIONS).before()).isEqualTo(1_000);
    assertThat(commands(trace)).containsExactly("alter 't', {NAME => 'f', VERSIONS => '10'}");
    assertThat(idle().of(family("VERSIONS", "5")).rules()).isEmpty();
  }

  @Test
  void veryWideRowsShouldBeTall() {
    Trace wide = idle().files(files(f -> f.rows(20)));
    assertThat(effect(wide, Rule.WIDE_ROWS).before()).isEqualTo(50_000 * 200);
    assertThat(idle().files(files(f -> f.rows(5_000))).rules()).isEmpty();
    assertThat(idle().files(files(f -> f.rows(0))).rules()).isEmpty();
  }

  @Test
  void scansOverDeletedRowsNeedACompaction() {
    Trace trace = scans(490).files(files(f -> f.markers(1_000)));
    assertThat(effect(trace, Rule.HIDDEN_ROWS).before()).isEqualTo(50);
    assertThat(commands(trace)).containsExactly("major_compact 't', 'f'");
    assertThat(scans(100).files(files(f -> f.markers(1_000))).rules()).isEmpty();
  }

  @Test
  void scansWithAFilterAreFine() {
    assertThat(scans(490).files(files(f -> f)).rules()).isEmpty();
  }

  @Test
  void smallGetsFromALargeTableWantSmallBlocks() {
    Trace trace = gets().files(files(f -> f.dataBytes(20L << 30)));
    assertThat(effect(trace, Rule.LARGE_BLOCKS))
        .extracting(Effect::before, Effect::after)
        .containsExactly(65_536.0, 8_192.0);
    assertThat(gets().files(files(f -> f.dataBytes(20L << 20))).rules()).isEmpty();
    assertThat(scans(0).files(files(f -> f.dataBytes(20L << 30))).rules()).isEmpty();
  }

  @Test
  void getsWithoutABloomFilterSearchAllFiles() {
    Trace trace = gets().of(family("BLOOMFILTER", "NONE")).files(files(f -> f.files(20).rows(0)));
    assertThat(effect(trace, Rule.NO_BLOOM_FILTER))
        .extracting(Effect::before, Effect::after)
        .containsExactly(5.0, 1.04);
    assertThat(gets().files(files(f -> f.files(20))).rules()).isEmpty();
    assertThat(
            scans(0)
                .of(family("BLOOMFILTER", "NONE"))
                .files(files(f -> f.files(20).rows(0)))
                .rules())
        .isEmpty();
  }

  @Test
  void aBloomFilterThatNoReadAsksIsUseless() {
    Trace trace = scans(0).files(files(f -> f.rows(2_000_000)));
    assertThat(effect(trace, Rule.USELESS_BLOOM_FILTER).before()).isEqualTo(2_400_000);
    assertThat(gets().files(files(f -> f.rows(2_000_000))).rules()).isEmpty();
  }

  @Test
  void expiredCellsNeedACompaction() {
    Trace trace =
        idle()
            .of(family("TTL", "86400"))
            .files(files(f -> f.expired(80L << 20, Trace.BEGAN - 9 * DAY)));
    assertThat(effect(trace, Rule.EXPIRED_CELLS))
        .extracting(Effect::before, Effect::after)
        .containsExactly((double) (100L << 20), (double) (20L << 20));
    assertThat(commands(trace))
        .containsExactly(
            "major_compact 't', 'f'",
            "alter 't', {NAME => 'f', CONFIGURATION => {'hbase.hregion.majorcompaction' =>"
                + " '86400000'}}");
    assertThat(
            idle()
                .of(family("TTL", "86400"))
                .files(files(f -> f.expired(2L << 20, Trace.BEGAN - 9 * DAY)))
                .rules())
        .isEmpty();
  }

  @Test
  void fewCallsAreNotJudged() {
    Observation seen = new Trace(7).seen();
    assertThat(Adviser.on(seen).gaps()).hasSize(3);
    assertThat(Adviser.on(seen).findings()).isEmpty();
    assertThat(Trace.call(Kind.GET, "a").requests()).isEqualTo(1);
  }
}
