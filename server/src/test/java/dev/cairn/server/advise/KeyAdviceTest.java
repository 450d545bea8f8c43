package dev.cairn.server.advise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.advise.Finding.Effect;
import dev.cairn.server.advise.Finding.Proposal;
import dev.cairn.server.loadsplit.LoadSample;
import dev.cairn.server.loadsplit.LoadSample.Kind;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The adviser tells designs of row keys apart by their calls. */
class KeyAdviceTest {
  private static String text(String format, Object... parts) {
    return String.format(Locale.ROOT, format, parts);
  }

  private static String hash(String row) {
    return Bytes.md5(Bytes.utf8(row)).substring(0, 4) + "-" + row;
  }

  private static String salted(String row, int buckets) {
    CRC32 crc = new CRC32();
    crc.update(Bytes.utf8(row));
    return text("%02d-%s", crc.getValue() % buckets, row);
  }

  private static Finding only(Advice advice, Rule rule) {
    assertThat(advice.findings()).extracting(Finding::rule).containsExactly(rule);
    return advice.findings().get(0);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void sequentialKeysAreHashedOrSalted(long seed) {
    Advice advice = new Trace(seed).writes(i -> text("%010d", i)).advice();
    Finding finding = only(advice, Rule.GROWING_KEYS);
    assertThat(finding.proposals()).hasSize(3);
    for (Proposal proposal : finding.proposals()) {
      assertThat(proposal.effect().before()).isGreaterThan(0.95);
      assertThat(proposal.effect().after()).isLessThan(0.35);
      assertThat(proposal.commands().get(0)).startsWith("create 't_").contains("SPLITS => [");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void sequentialKeysThatAreScannedAreSalted(long seed) {
    Trace trace = new Trace(seed);
    Finding finding =
        only(
            trace
                .calls(
                    i ->
                        i % 2 == 0
                            ? Trace.call(Kind.WRITE, text("%010d", i))
                            : Trace.scan(
                                text("%010d", Math.max(0, i - 300)), text("%010d", i), 300, 0))
                .advice(),
            Rule.GROWING_KEYS);
    assertThat(finding.proposals().get(0).sentence()).startsWith("Salt with 8 buckets");
    assertThat(finding.proposals().get(0).effect().after()).isLessThan(0.2);
    assertThat(finding.proposals().get(1).sentence()).contains("Reverse the timestamp");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void fallingKeysAreNoBetter(long seed) {
    Finding finding =
        only(new Trace(seed).writes(i -> text("%010d", 9_999_999 - i)).advice(), Rule.GROWING_KEYS);
    assertThat(finding.sentence()).contains("only fall");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void timeSeriesOfFewSensorsGrowInFewPlaces(long seed) {
    Trace trace = new Trace(seed);
    Finding finding =
        only(
            trace
                .writes(i -> text("sensor%d:%010d", trace.random().nextInt(3), 1_700_000_000 + i))
                .advice(),
            Rule.GROWING_PREFIXES);
    assertThat(finding.sentence()).contains("3 prefixes of 7 bytes");
    assertThat(finding.proposals().get(0).effect().after())
        .isLessThan(0.6 * finding.proposals().get(0).effect().before());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void timeSeriesOfManySensorsNeedNothing(long seed) {
    Trace trace = new Trace(seed);
    assertThat(
            trace
                .writes(
                    i -> text("sensor%02d:%010d", trace.random().nextInt(40), 1_700_000_000 + i))
                .rules())
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void saltedKeysNeedNothing(long seed) {
    assertThat(new Trace(seed).writes(i -> salted(text("%010d", i), 16)).rules()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void hashedKeysNeedNothing(long seed) {
    assertThat(
            new Trace(seed)
                .split("4000", "8000", "c000")
                .calls(i -> Trace.call(i % 2 == 0 ? Kind.WRITE : Kind.GET, hash("user" + i / 2)))
                .rules())
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void randomKeysNeedNothing(long seed) {
    Trace trace = new Trace(seed);
    SplittableRandom random = trace.random();
    trace
        .split("user3", "user5", "user8")
        .writes(i -> text("user%06d", random.nextInt(1_000_000)))
        .gets(i -> text("user%06d", random.nextInt(1_000_000)))
        .calls(
            i -> {
              int from = random.nextInt(1_000_000);
              return Trace.scan(text("user%06d", from), text("user%06d", from + 20), 20, 0);
            });
    assertThat(trace.rules()).isEmpty();
    assertThat(AdviceText.lines(List.of(trace.advice())).get(0)).startsWith("t: nothing to do");
  }

  @Test
  void keysAreShownByTheFormatOfTheTable() {
    Trace trace = new Trace(5);
    Advice advice =
        trace
            .format("kind string(4), name string")
            .gets(i -> i % 2 == 0 ? "user426513" : text("user%06d", i * 7_919 % 1_000_000))
            .advice();
    assertThat(only(advice, Rule.HOT_ROW).sentence())
        .startsWith("The row user426513 {kind=\"user\" name=\"426513\"} has ");
    assertThat(advice.gaps()).noneMatch(gap -> gap.contains("KEY_FORMAT"));
  }

  @Test
  void aRowThatSamplesHaveCutIsShownAsAPrefix() {
    Advice advice =
        new Trace(5).format("kind string(4), name string").gets(i -> "x".repeat(256)).advice();
    assertThat(only(advice, Rule.HOT_ROW).sentence())
        .startsWith("The row " + "x".repeat(256) + " {kind=\"xxxx\" …} has ");
  }

  @Test
  void aMalformedFormatOfKeysIsNamed() {
    Advice advice = new Trace(5).format("kind strnig").gets(i -> "user426513").advice();
    assertThat(only(advice, Rule.HOT_ROW).sentence()).startsWith("The row user426513 has ");
    assertThat(advice.gaps()).anyMatch(gap -> gap.startsWith("KEY_FORMAT is malformed, so row"));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void oneCelebrityIsNamed(long seed) {
    Trace trace = new Trace(seed);
    SplittableRandom random = trace.random();
    Finding finding =
        only(
            trace
                .split("user3", "user5", "user8")
                .gets(
                    i ->
                        random.nextInt(10) < 4
                            ? "user426513"
                            : text("user%06d", random.nextInt(1_000_000)))
                .advice(),
            Rule.HOT_ROW);
    assertThat(finding.sentence()).contains("user426513").contains("splits do not help");
    assertThat(finding.proposals().get(0).commands())
        .containsExactly("alter 't', REGION_REPLICATION => 3");
    Effect divided = finding.proposals().get(1).effect();
    assertThat(divided.before()).isGreaterThan(0.35);
    assertThat(divided.after()).isLessThan(0.3);
  }

  @Test
  void replicasAreNotProposedToASingleServer() {
    Finding finding =
        only(new Trace(1).servers(OptionalInt.of(1)).gets(i -> "celebrity").advice(), Rule.HOT_ROW);
    assertThat(finding.proposals().get(0).sentence()).contains("more than one region server");
    assertThat(finding.proposals().get(0).commands()).isEmpty();
  }

  @Test
  void replicasAreProposedWithAConditionIfTheNumberOfServersIsUnknown() {
    Finding finding =
        only(
            new Trace(1).servers(OptionalInt.empty()).gets(i -> "celebrity").advice(),
            Rule.HOT_ROW);
    assertThat(finding.proposals().get(0).sentence())
        .contains("3 servers share its reads, if the cluster has as many");
    assertThat(finding.proposals().get(0).commands())
        .containsExactly("alter 't', REGION_REPLICATION => 3");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void zipfianRowsAreNoCelebrity(long seed) {
    Trace trace = new Trace(seed);
    assertThat(
            trace
                .gets(i -> hash("user" + (int) Math.pow(5_000, trace.random().nextDouble())))
                .rules())
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void bordersThatDoNotFollowThePrefixesAreMoved(long seed) {
    Trace trace = new Trace(seed);
    SplittableRandom random = trace.random();
    Finding finding =
        only(
            trace
                .split("b", "c", "d", "e", "f", "g", "h")
                .gets(
                    i ->
                        (random.nextInt(10) < 8 ? "c" : "" + (char) ('a' + random.nextInt(8)))
                            + text("%06d", random.nextInt(1_000_000)))
                .advice(),
            Rule.SKEWED_PREFIXES);
    assertThat(finding.sentence()).contains("prefix c ");
    assertThat(finding.proposals().get(0).commands().get(0)).startsWith("split 't', \"c");
    assertThat(finding.proposals().get(0).effect().before()).isGreaterThan(0.75);
    assertThat(finding.proposals().get(0).effect().after()).isLessThan(0.25);
  }

  /** A question for rows of all buckets, or of the user's own bucket. */
  private static LoadSample question(SplittableRandom random, boolean ofWholeRow) {
    int user = random.nextInt(50);
    int bucket = ofWholeRow ? random.nextInt(16) : user % 16;
    String row = text("%02d-user%02d", bucket, user);
    return Trace.scan(row + ":0001", row + ":0020", 20, 0);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void shortScansInEachBucketOfASaltAreNamed(long seed) {
    Trace trace = new Trace(seed);
    Finding finding =
        only(trace.calls(i -> question(trace.random(), true)).advice(), Rule.SALTED_SCANS);
    assertThat(finding.proposals().get(0).effect())
        .extracting(Effect::before, Effect::after)
        .isEqualTo(List.of(16.0, 1.0).stream().map(Object.class::cast).toList());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void shortScansInOneBucketEachAreFine(long seed) {
    Trace trace = new Trace(seed);
    assertThat(trace.calls(i -> question(trace.random(), false)).rules()).isEmpty();
  }
}
