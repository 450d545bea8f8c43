package dev.cairn.server.master.normalizer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.loadsplit.RegionRates;
import dev.cairn.server.master.normalizer.NormalizationRules.Plan;
import dev.cairn.server.master.normalizer.NormalizationRules.SizedRegion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.BytesBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests which regions are split and merged, by their sizes in MB. Plans are written as {@code s2}
 * (split the third region) and {@code m0-1} (merge the first two).
 */
class NormalizationRulesTest {
  private static final TableName TABLE = TableName.parse("t");
  private static final Instant NOW = Instant.ofEpochMilli(Duration.ofDays(100).toMillis());
  private static final long MADE_MILLIS = Duration.ofDays(97).toMillis() - 1;

  private static final Optional<RegionRates> CALM = Optional.of(RegionRates.NONE);

  private final Map<String, String> site = new HashMap<>();
  private final Map<String, String> table = new HashMap<>();
  private boolean splitSwitch = true;
  private boolean mergeSwitch = true;

  @ParameterizedTest
  @CsvSource({
    "10 10 10, ''",
    "10 10, ''",
    "10 10 10 100, s3 m0-2",
    "1 2 3 30, s3 m0-2",
    "5 5 40 5 5, s2 m0-1 m3-4",
    "15 5 5 15, m1-2",
    "4 4 4 4 4, ''",
    "1 1 1 1 21, s4 m0-3",
    "0 0 10 10, ''",
    "20, ''",
  })
  void regionsApproachTheAverage(String sizes, String plans) {
    assertThat(plan(sizes)).isEqualTo(plans);
  }

  @ParameterizedTest
  @CsvSource({
    "0 0 0 12, s3 m0-2",
    "0 0 12 0 0, s2 m0-1 m3-4",
    "8 0 8, m0-1",
    "0 9 9, m0-1",
    "0 0 0 0, m0-3",
  })
  void emptyRegionsAreMergedIfTheSmallestSizeIsZero(String sizes, String plans) {
    site.put("hbase.normalizer.merge.min_region_size.mb", "0");
    assertThat(plan(sizes)).isEqualTo(plans);
  }

  @ParameterizedTest
  @CsvSource({
    "hbase.normalizer.split.enabled, false, m0-2",
    "hbase.normalizer.merge.enabled, false, s3",
    "hbase.normalizer.merge.min.region.count, 5, s3",
    "hbase.normalizer.min.region.count, 5, s3",
    "hbase.normalizer.merge.min_region_age.days, 4, s3",
    "hbase.normalizer.merge.min_region_size.mb, 11, s3",
    "NORMALIZER_TARGET_REGION_SIZE_MB, 200, m0-3",
    "NORMALIZER_TARGET_REGION_SIZE, 20, s3 m0-1",
    "NORMALIZER_TARGET_REGION_COUNT, 10, s3",
  })
  void aTableMayHaveRulesOfItsOwn(String key, String value, String plans) {
    table.put(key, value);
    assertThat(plan("10 10 10 100")).isEqualTo(plans);
  }

  @Test
  void theSwitchesForSplitsAndMergesAreObeyed() {
    splitSwitch = false;
    assertThat(plan("10 10 10 100")).isEqualTo("m0-2");
    mergeSwitch = false;
    assertThat(plan("10 10 10 100")).isEmpty();
  }

  @Test
  void theLimitsOfOneRun() {
    site.put("hbase.normalizer.merge.merge_request_max_number_of_regions", "2");
    assertThat(plan("2 2 2 2 40")).isEqualTo("s4 m0-1 m2-3");
    site.put("hbase.normalizer.plans_size_limit.mb", "44");
    assertThat(plan("2 2 2 2 40")).isEqualTo("s4 m0-1");
    site.put("hbase.normalizer.plans_size_limit.mb", "39");
    assertThat(plan("2 2 2 2 40")).isEmpty();
  }

  @Test
  void closedRegionsAndThoseOfUnknownSizeAreNotMerged() {
    List<SizedRegion> regions = new ArrayList<>(regions("4 4 4 4 40 4"));
    regions.set(1, new SizedRegion(regions.get(1).region(), false, 4, CALM));
    regions.set(5, new SizedRegion(regions.get(5).region(), true, -1, CALM));
    assertThat(plan(regions)).isEqualTo("s4 m2-3");
  }

  @Test
  void regionsThatTogetherWouldBeHotAreNotMerged() {
    List<SizedRegion> regions = loaded("10 10 10 100", 700, 700, 700, 700);
    assertThat(plan(regions)).as("fewer than 1,500 requests per second").isEqualTo("s3 m0-1");
    assertThat(plan(loaded("10 10 10 100", 800, 800, 500, 0))).isEqualTo("s3 m1-2");
    table.put("cairn.loadsplit.requests", "10000");
    assertThat(plan(regions)).isEqualTo("s3 m0-2");
    table.put("cairn.loadsplit.requests", "100");
    assertThat(plan(regions)).isEqualTo("s3");
    table.put("cairn.loadsplit.enabled", "false");
    assertThat(plan(regions)).isEqualTo("s3 m0-2");
  }

  @Test
  void bytesAndProcessorTimeMakeARegionHotToo() {
    RegionRates bytes = new RegionRates(10, 8 << 20, 0); // half of 30 MB/s is too much
    RegionRates processor = new RegionRates(10, 0, 70e6); // half of 250 ms/s is too much

    assertThat(plan(loaded("10 10 10 100", bytes, bytes, bytes, bytes))).isEqualTo("s3");
    assertThat(plan(loaded("10 10 10 100", processor, processor, RegionRates.NONE, bytes)))
        .isEqualTo("s3 m1-2");
    table.put("cairn.loadsplit.bytes", "0");
    assertThat(plan(loaded("10 10 10 100", bytes, bytes, bytes, bytes))).isEqualTo("s3 m0-2");
  }

  @Test
  void regionsOfUnknownLoadAreNotMerged() {
    List<SizedRegion> regions = unknown(regions("4 4 4 4 40"), 0, 1);
    assertThat(plan(regions)).isEqualTo("s4 m2-3");
    assertThat(rules().needsRates(regions, NOW)).isTrue();
    assertThat(rules().needsRates(regions("4 4 4 4 40"), NOW)).isFalse();
    assertThat(rules().needsRates(unknown(regions("10 10 10"), 0, 1, 2), NOW))
        .as("there is nothing to merge")
        .isFalse();

    table.put("cairn.loadsplit.enabled", "false");
    assertThat(plan(regions)).isEqualTo("s4 m0-1 m2-3");
    assertThat(rules().needsRates(regions, NOW)).isFalse();
  }

  private static List<SizedRegion> unknown(List<SizedRegion> known, int... indexes) {
    List<SizedRegion> regions = new ArrayList<>(known);
    for (int i : indexes) {
      SizedRegion one = regions.get(i);
      regions.set(i, new SizedRegion(one.region(), true, one.sizeMb(), Optional.empty()));
    }
    return regions;
  }

  private static List<SizedRegion> loaded(String sizes, double... requestsPerSecond) {
    return loaded(
        sizes,
        Arrays.stream(requestsPerSecond)
            .mapToObj(rate -> new RegionRates(rate, 0, 0))
            .toArray(RegionRates[]::new));
  }

  private static List<SizedRegion> loaded(String sizes, RegionRates... rates) {
    List<SizedRegion> regions = new ArrayList<>();
    for (SizedRegion one : regions(sizes)) {
      Optional<RegionRates> rate = Optional.of(rates[regions.size()]);
      regions.add(new SizedRegion(one.region(), true, one.sizeMb(), rate));
    }
    return regions;
  }

  @Test
  void throughputHasUnits() {
    site.put("hbase.normalizer.throughput.max_bytes_per_sec", "20m");
    assertThat(NormalizerSettings.of(new SiteConfig(site)).bytesPerSecond()).isEqualTo(20L << 20);
    assertThat(NormalizerSettings.DEFAULTS.bytesPerSecond()).isEqualTo(Long.MAX_VALUE);
  }

  private String plan(String sizes) {
    return plan(regions(sizes));
  }

  private String plan(List<SizedRegion> regions) {
    return rules().plan(regions, NOW).stream()
        .map(NormalizationRulesTest::text)
        .collect(Collectors.joining(" "));
  }

  private NormalizationRules rules() {
    var message = TableSchema.of(TABLE, FamilySchema.of("f")).message().toBuilder();
    table.forEach(
        (key, value) ->
            message.addAttributes(
                BytesBytesPair.newBuilder()
                    .setFirst(ByteString.copyFromUtf8(key))
                    .setSecond(ByteString.copyFromUtf8(value))));
    return NormalizationRules.of(
        new TableSchema(message.build()),
        NormalizerSettings.of(new SiteConfig(site)),
        splitSwitch,
        mergeSwitch);
  }

  private static String text(Plan plan) {
    if (plan instanceof Plan.Split split) {
      return "s" + Bytes.utf8(split.region().startKey());
    }
    List<RegionInfo> merged = ((Plan.Merge) plan).regions();
    return "m"
        + Bytes.utf8(merged.get(0).startKey())
        + "-"
        + Bytes.utf8(merged.get(merged.size() - 1).startKey());
  }

  private static List<SizedRegion> regions(String sizes) {
    List<SizedRegion> regions = new ArrayList<>();
    for (String size : sizes.split(" ")) {
      int i = regions.size();
      regions.add(
          new SizedRegion(
              new RegionInfo(TABLE, Bytes.utf8("" + i), Bytes.utf8("" + (i + 1)), MADE_MILLIS),
              true,
              Long.parseLong(size),
              CALM));
    }
    return regions;
  }
}
