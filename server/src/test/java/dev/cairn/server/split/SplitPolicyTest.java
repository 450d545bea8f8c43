package dev.cairn.server.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.split.SplitPolicy.Candidate;
import dev.cairn.server.split.SplitPolicy.Sizes;
import dev.cairn.server.split.SplitPolicy.Stepping;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.BytesBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests when and where each policy splits a region. Sizes are megabytes. */
class SplitPolicyTest {
  private static final long MB = 1L << 20;
  private static final TableName TABLE = TableName.parse("t");
  private static final RegionInfo REGION = new RegionInfo(TABLE, Bytes.EMPTY, Bytes.EMPTY, 1);

  /** A site with the flush size 128 MB and no jitter. */
  private final Map<String, String> site =
      new HashMap<>(Map.of("hbase.hregion.max.filesize.jitter", "0"));

  private final Map<String, String> table = new HashMap<>();
  private int regionsOfTable = 1;

  @ParameterizedTest(name = "{0} with {1} regions splits above {2} MB")
  @CsvSource({
    "SteppingSplitPolicy, 0, 10240",
    "SteppingSplitPolicy, 1, 256",
    "SteppingSplitPolicy, 2, 10240",
    "SteppingSplitPolicy, 50, 10240",
    "IncreasingToUpperBoundRegionSplitPolicy, 0, 10240",
    "IncreasingToUpperBoundRegionSplitPolicy, 1, 256",
    "IncreasingToUpperBoundRegionSplitPolicy, 2, 2048",
    "IncreasingToUpperBoundRegionSplitPolicy, 3, 6912",
    "IncreasingToUpperBoundRegionSplitPolicy, 4, 10240",
    "IncreasingToUpperBoundRegionSplitPolicy, 101, 10240",
    "KeyPrefixRegionSplitPolicy, 2, 2048",
    "DelimitedKeyPrefixRegionSplitPolicy, 2, 2048",
    "BusyRegionSplitPolicy, 2, 2048",
    "ConstantSizeRegionSplitPolicy, 1, 10240",
    "ConstantSizeRegionSplitPolicy, 7, 10240",
  })
  void eachPolicyHasItsSizes(String name, int regions, long largestMb) {
    table.put("SPLIT_POLICY", "org.apache.hadoop.hbase.regionserver." + name);
    regionsOfTable = regions;
    assertSplitsAbove(largestMb * MB);
  }

  @Test
  void theDefaultIsTheSteppingPolicyWithHalfAQuarterOfJitter() {
    site.clear();
    assertSplitsAbove(256 * MB);
    regionsOfTable = 2;
    List<Long> sizes = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      RegionInfo region = new RegionInfo(TABLE, Bytes.utf8("r" + i), Bytes.EMPTY, 1);
      Sizes found = ((Stepping) policies().policy(region, schema(), 0)).sizes();
      sizes.add(found.maxBytes() / MB);
      assertThat(policies().policy(region, schema(), 1))
          .as("the same at each opening")
          .isEqualTo(new Stepping(found));
    }
    assertThat(sizes).allMatch(mb -> mb >= 8960 && mb <= 11520).doesNotHaveDuplicates();
  }

  @Test
  void theDisabledPolicyNeverSplits() {
    table.put("SPLIT_POLICY", "DisabledRegionSplitPolicy");
    assertThat(policy()).isSameAs(SplitPolicy.DISABLED);
    assertThat(splits(Long.MAX_VALUE)).isFalse();
    assertThat(policies().areDisabledFor(schema())).isTrue();
  }

  @Test
  void aTablesSettingsGoBeforeTheSites() {
    site.put("hbase.regionserver.region.split.policy", "ConstantSizeRegionSplitPolicy");
    site.put("hbase.hregion.max.filesize", Long.toString(100 * MB));
    assertSplitsAbove(100 * MB);
    table.put("MAX_FILESIZE", "-1");
    assertSplitsAbove(100 * MB);
    table.put("hbase.hregion.max.filesize", Long.toString(50 * MB));
    assertSplitsAbove(50 * MB);
    table.put("MAX_FILESIZE", Long.toString(30 * MB));
    assertSplitsAbove(30 * MB);
    table.put("hbase.regionserver.region.split.policy", "SteppingSplitPolicy");
    table.put("MEMSTORE_FLUSHSIZE", Long.toString(4 * MB));
    assertSplitsAbove(8 * MB);
    table.put("hbase.increasing.policy.initial.size", Long.toString(5 * MB));
    assertSplitsAbove(5 * MB);
    table.put("SPLIT_POLICY", "ConstantSizeRegionSplitPolicy");
    assertSplitsAbove(30 * MB);
  }

  @Test
  void theLargestFamilyCountsOrAllOfThemTogether() {
    List<Long> three = List.of(100 * MB, 120 * MB, 80 * MB);
    assertThat(policy().shouldSplit(candidate(three, 0, 0, 0))).isFalse();
    table.put("hbase.hregion.split.overallfiles", "true");
    assertThat(policy().shouldSplit(candidate(three, 0, 0, 0))).isTrue();
    assertThat(policy().shouldSplit(candidate(List.of(), 0, 0, 0))).isFalse();
  }

  @Test
  void aRegionThatRefusesManyWritesIsBusy() {
    table.put("SPLIT_POLICY", "BusyRegionSplitPolicy");
    table.put("hbase.busy.policy.minAge", "1000");
    table.put("hbase.busy.policy.aggWindow", "100");
    SplitPolicy busy = policies().policy(REGION, schema(), 0);
    assertThat(busy.shouldSplit(candidate(List.of(), 100, 90, 500))).as("young").isFalse();
    assertThat(busy.shouldSplit(candidate(List.of(), 200, 95, 1001))).as("5 of 100").isFalse();
    assertThat(busy.shouldSplit(candidate(List.of(), 300, 195, 1200))).as("all of 100").isTrue();
    assertThat(busy.shouldSplit(candidate(List.of(), 301, 195, 1210))).as("window").isTrue();
    assertThat(busy.shouldSplit(candidate(List.of(), 500, 195, 1400))).as("calm").isFalse();
    assertThat(busy.shouldSplit(candidate(List.of(257 * MB), 500, 195, 1400))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "KeyPrefixRegionSplitPolicy, KeyPrefixRegionSplitPolicy.prefix_length, 3, abcdef, abc",
    "KeyPrefixRegionSplitPolicy, prefix_split_key_policy.prefix_length, 3, abcdef, abc",
    "KeyPrefixRegionSplitPolicy, KeyPrefixRegionSplitPolicy.prefix_length, 9, abcdef, abcdef",
    "KeyPrefixRegionSplitPolicy, KeyPrefixRegionSplitPolicy.prefix_length, -1, abcdef, abcdef",
    "KeyPrefixRegionSplitPolicy, KeyPrefixRegionSplitPolicy.prefix_length, x, abcdef, abcdef",
    "DelimitedKeyPrefixRegionSplitPolicy, DelimitedKeyPrefixRegionSplitPolicy.delimiter, _, ab_c_d, ab",
    "DelimitedKeyPrefixRegionSplitPolicy, DelimitedKeyPrefixRegionSplitPolicy.delimiter, c_, ab_c_d, ab_",
    "DelimitedKeyPrefixRegionSplitPolicy, DelimitedKeyPrefixRegionSplitPolicy.delimiter, _, abcd, abcd",
    "DelimitedKeyPrefixRegionSplitPolicy, MISSING, _, ab_c_d, ab_c_d",
    "SteppingSplitPolicy, KeyPrefixRegionSplitPolicy.prefix_length, 3, abcdef, abcdef",
  })
  void somePoliciesKeepPrefixesTogether(
      String name, String key, String value, String row, String expected) {
    table.put("SPLIT_POLICY", name);
    table.put(key, value);
    assertThat(Bytes.utf8(policy().restrict(Bytes.utf8(row)))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"None, abc_def", "KeyPrefix, ab", "DelimitedKeyPrefix, abc"})
  void restrictionsHoldForEveryPolicy(String type, String expected) {
    site.put("hbase.regionserver.region.split_restriction.type", type);
    site.put("hbase.regionserver.region.split_restriction.prefix_length", "2");
    site.put("hbase.regionserver.region.split_restriction.delimiter", "_");
    assertThat(Bytes.utf8(policies().restriction(schema()).apply(Bytes.utf8("abc_def"))))
        .isEqualTo(expected);
  }

  @Test
  void whatATableSaysMustBePossible() {
    for (Map<String, String> wrong :
        List.of(
            Map.of("MAX_FILESIZE", "large"),
            Map.of("hbase.busy.policy.blockedRequests", "2"),
            Map.of("hbase.regionserver.region.split_restriction.type", "Suffix"),
            Map.of("hbase.regionserver.region.split_restriction.type", "KeyPrefix"),
            Map.of("hbase.regionserver.region.split_restriction.type", "DelimitedKeyPrefix"))) {
      table.clear();
      table.putAll(wrong);
      assertThatThrownBy(() -> policies().check(schema()))
          .as("%s", wrong)
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(policy()).as("a table that HBase has made").isNotNull();
    }
  }

  @ParameterizedTest
  @CsvSource({"SPLIT_POLICY", "hbase.regionserver.region.split.policy"})
  void aClassOfTheUsersOwnIsNotOneOfThese(String attribute) {
    table.put(attribute, "com.example.MyPolicy");
    assertThat(SplitPolicies.classOfUser(schema())).contains("com.example.MyPolicy");
    assertThat(policy()).isSameAs(SplitPolicy.DISABLED);
    assertThat(policies().areDisabledFor(schema())).as("what the class itself decides").isFalse();
    table.put("hbase.hregion.max.filesize.jitter", "none");
    assertThat(policy()).as("not the site's").isSameAs(SplitPolicy.DISABLED);
    table.put(attribute, SplitPolicies.Name.BUSY.className());
    assertThat(SplitPolicies.classOfUser(schema())).isEmpty();
  }

  @Test
  void aSitesRestrictionNeedsItsParameter() {
    site.put("hbase.regionserver.region.split_restriction.type", "KeyPrefix");
    assertThatThrownBy(this::policies)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("hbase.regionserver.region.split_restriction.prefix_length");
  }

  private void assertSplitsAbove(long bytes) {
    assertThat(splits(bytes)).as("%s bytes", bytes).isFalse();
    assertThat(splits(bytes + 1)).as("%s bytes", bytes + 1).isTrue();
  }

  private boolean splits(long bytes) {
    return policy().shouldSplit(candidate(List.of(1L, bytes), 0, 0, 0));
  }

  private Candidate candidate(List<Long> stores, long writes, long blocked, long nowMillis) {
    return new Candidate(stores, regionsOfTable, writes, blocked, nowMillis, Optional::empty);
  }

  private SplitPolicy policy() {
    return policies().policy(REGION, schema(), 0);
  }

  private SplitPolicies policies() {
    return new SplitPolicies(SplitSettings.of(new SiteConfig(site), 128 * MB));
  }

  private TableSchema schema() {
    var message = TableSchema.of(TABLE, FamilySchema.of("f")).message().toBuilder();
    table.forEach(
        (key, value) ->
            message.addAttributes(
                BytesBytesPair.newBuilder()
                    .setFirst(ByteString.copyFromUtf8(key))
                    .setSecond(ByteString.copyFromUtf8(value))));
    return new TableSchema(message.build());
  }
}
