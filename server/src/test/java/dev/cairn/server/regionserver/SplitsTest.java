package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.maintenance.Splits;
import dev.cairn.server.regionserver.membership.ServerState;
import dev.cairn.server.rpc.ManualClock;
import dev.cairn.server.split.SplitPolicy;
import dev.cairn.server.split.SplitPolicy.Candidate;
import dev.cairn.server.split.SplitPolicy.Point;
import dev.cairn.server.split.SplitSettings;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.BytesBytesPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition.TransitionCode;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** Tests when a server asks the master to split a region of more than 1,000 bytes. */
class SplitsTest {
  private final ManualClock clock = new ManualClock();
  private final ServerName self = new ServerName("localhost", 16020, 1);
  private final OnlineRegions regions = new OnlineRegions(self, clock);
  private final FakeMaster master = new FakeMaster();
  private final Deque<Runnable> work = new ArrayDeque<>();
  private final FakeRegion region = new FakeRegion("b");
  private Splits splits = splits(Map.of());

  private Splits splits(Map<String, String> more) {
    Map<String, String> site = new HashMap<>(more);
    site.put("hbase.hregion.max.filesize", "1000");
    site.put("hbase.hregion.max.filesize.jitter", "0");
    site.put("hbase.increasing.policy.initial.size", "1000");
    SplitSettings settings = SplitSettings.of(new SiteConfig(site), 1_000);
    return new Splits(new ServerState(self), regions, master, settings, clock, work::add);
  }

  @Test
  void aLargeRegionIsToBeSplitInItsMiddle() throws IOException {
    HostedRegion hosted = large(FakeRegion.SCHEMA);
    assertThat(splits.requestIfDue(hosted)).isTrue();
    runAll();
    RegionStateTransition asked = master.transitions.get(0);
    assertThat(asked.getTransitionCode()).isEqualTo(TransitionCode.READY_TO_SPLIT);
    assertThat(Messages.regionInfo(asked.getRegionInfo(0))).isEqualTo(region.info);
    RegionInfo lower = Messages.regionInfo(asked.getRegionInfo(1));
    RegionInfo upper = Messages.regionInfo(asked.getRegionInfo(2));
    assertThat(Bytes.utf8(lower.startKey())).isEqualTo("b");
    assertThat(Bytes.utf8(lower.endKey())).isEqualTo("m");
    assertThat(Bytes.utf8(upper.startKey())).isEqualTo("m");
    assertThat(upper.endKey()).isEmpty();
    assertThat(upper.regionId()).isGreaterThan(region.info.regionId());
  }

  @Test
  void aRegionIsLeftAloneThatIsSmallOrHasNoMiddle() {
    HostedRegion hosted = large(FakeRegion.SCHEMA);
    region.fileBytes = 1_000;
    assertThat(splits.requestIfDue(hosted)).isFalse();
    region.fileBytes = 1_001;
    region.splitPoint = Optional.empty();
    assertThat(splits.requestIfDue(hosted)).isFalse();
    region.splitPoint = Optional.of(Bytes.utf8("b"));
    assertThat(splits.requestIfDue(hosted)).as("its first row").isFalse();
    assertThat(work).isEmpty();
  }

  @Test
  void aRegionIsLeftAloneThatHasReferencesOrWaitsForCompactions() {
    HostedRegion hosted = large(FakeRegion.SCHEMA);
    region.hasReferences = true;
    assertThat(splits.requestIfDue(hosted)).isFalse();
    assertThat(splits.isSplittable(hosted)).isFalse();
    region.hasReferences = false;
    region.hasTooManyFiles = true;
    assertThat(splits.requestIfDue(hosted)).isFalse();
    splits = splits(Map.of("hbase.hregion.split.ignore.blocking.enabled", "true"));
    assertThat(splits.requestIfDue(hosted)).isTrue();
  }

  @Test
  void aTableMayForbidSplits() {
    assertThat(splits.requestIfDue(large(schema("SPLIT_ENABLED", "false")))).isFalse();
    HostedRegion never = large(schema("SPLIT_POLICY", "DisabledRegionSplitPolicy"));
    assertThat(splits.requestIfDue(never)).isFalse();
    assertThat(splits.request(never, Bytes.utf8("k"), "test")).isFalse();
    assertThat(splits.isSplittable(never)).isFalse();
  }

  @Test
  void systemTablesAreNotSplit() {
    TableSchema system = TableSchema.of(TableName.parse("hbase:quota"), FamilySchema.of("f"));
    region.fileBytes = 5_000;
    region.splitPoint = Optional.of(Bytes.utf8("m"));
    RegionInfo info = new RegionInfo(system.name(), Bytes.EMPTY, Bytes.EMPTY, 1);
    HostedRegion hosted =
        new HostedRegion(info, system, region, region, region.maintenance())
            .under(List.of((of, schema, below) -> below.splitBy(splits.policy(of, schema))));
    assertThat(splits.requestIfDue(hosted)).isFalse();
  }

  @Test
  void aServerWithManyRegionsAsksForNoMore() {
    HostedRegion hosted = large(FakeRegion.SCHEMA);
    splits = splits(Map.of("hbase.regionserver.regionSplitLimit", "1"));
    assertThat(splits.requestIfDue(hosted)).isFalse();
  }

  @Test
  void theMasterIsAskedOnceUntilItAnswers() {
    HostedRegion hosted = large(FakeRegion.SCHEMA);
    assertThat(splits.requestIfDue(hosted)).isTrue();
    assertThat(splits.requestIfDue(hosted)).isFalse();
    master.answer = new DoNotRetryIOException("the switch is off");
    runAll();
    assertThat(splits.requestIfDue(hosted)).as("after a refusal").isTrue();
    master.answer = new IOException("no master");
    runAll();
    assertThat(splits.requestIfDue(hosted)).as("after a failure").isTrue();
    assertThat(master.transitions).hasSize(2);
  }

  @Test
  void othersMayAskForASplitAtARowAndPrefixesStayTogether() throws IOException {
    region.fileBytes = 1;
    HostedRegion hosted = hosted(schema("SPLIT_POLICY", "KeyPrefixRegionSplitPolicy"));
    assertThat(splits.requestIfDue(hosted)).isFalse();
    assertThat(splits.request(hosted, Bytes.utf8("a"), "test")).as("outside").isFalse();
    assertThat(splits.request(hosted, Bytes.utf8("kilo"), "test")).isTrue();
    runAll();
    RegionInfo upper = Messages.regionInfo(master.transitions.get(0).getRegionInfo(2));
    assertThat(Bytes.utf8(upper.startKey())).isEqualTo("ki");
  }

  /** A policy of a user's own, which names a row, or why there is none. */
  private static final class Own implements SplitPolicy.OfUser {
    final List<Candidate> asked = new ArrayList<>();
    Point answer = Point.none("the moon is full");

    @Override
    public boolean shouldSplit(Candidate region) {
      asked.add(region);
      return true;
    }

    @Override
    public Optional<String> refusal(Candidate region) {
      return answer.refusal();
    }

    @Override
    public Point point(Candidate region) {
      asked.add(region);
      return answer;
    }
  }

  private HostedRegion hosted(Own policy) {
    HostedRegion hosted =
        new HostedRegion(region.info, FakeRegion.SCHEMA, region, region, region.maintenance())
            .under(List.of((of, any, below) -> below.splitBy(policy)));
    regions.beginOpening(region.info);
    regions.opened(hosted);
    return hosted;
  }

  private static Point at(String row) {
    return new Point(Optional.of(Bytes.utf8(row)), Optional.empty());
  }

  @Test
  void aPolicyOfAUsersOwnIsAskedForEachSplitWithTheStateOfTheRegion() throws IOException {
    region.fileBytes = 7;
    Own policy = new Own();
    HostedRegion hosted = hosted(policy);
    assertThat(splits.isSplittable(hosted)).isFalse();
    assertThat(splits.isWhole(hosted)).isTrue();
    assertThat(splits.middle(hosted)).isEqualTo(Point.none("the moon is full"));
    assertThat(splits.requestIfDue(hosted)).isFalse();
    assertThat(splits.request(hosted, Bytes.utf8("k"), "load")).isFalse();
    policy.answer = at("x");
    policy.asked.clear();
    assertThat(splits.isSplittable(hosted)).isTrue();
    assertThat(splits.middle(hosted).row()).as("without a middle").hasValue(Bytes.utf8("x"));
    assertThat(splits.request(hosted, Bytes.utf8("k"), "load")).isTrue();
    assertThat(policy.asked).hasSize(2).allMatch(one -> one.storeBytes().contains(7L));
    assertThat(policy.asked.get(0).middle().get()).isEmpty();
    assertThat(policy.asked.get(1).middle().get()).hasValue(Bytes.utf8("k"));
    policy.answer = at("a");
    assertThat(splits.middle(hosted).refusal().orElseThrow()).contains("<a>");
  }

  @Test
  void theSamplesOfALoadAreNotShownToAPolicyOfAUsersOwn() {
    Own policy = new Own();
    assertThat(splits.allowedRows(FakeRegion.SCHEMA, policy).apply(Bytes.utf8("k")))
        .isEqualTo(Bytes.utf8("k"));
    assertThat(policy.asked).isEmpty();
  }

  @Test
  void replicasAreNoRegionsOfTheTable() {
    RegionInfo replica = region.info.replica(1);
    regions.beginOpening(replica);
    regions.opened(
        new HostedRegion(replica, FakeRegion.SCHEMA, region, region, region.maintenance()));
    Own policy = new Own();
    splits.requestIfDue(hosted(policy));
    assertThat(policy.asked.get(0).regionsOfTable()).isEqualTo(1);
  }

  private HostedRegion large(TableSchema schema) {
    region.fileBytes = 1_001;
    region.splitPoint = Optional.of(Bytes.utf8("m"));
    return hosted(schema);
  }

  private HostedRegion hosted(TableSchema schema) {
    HostedRegion hosted =
        new HostedRegion(region.info, schema, region, region, region.maintenance())
            .under(List.of((of, any, below) -> below.splitBy(splits.policy(of, any))));
    regions.beginOpening(region.info);
    regions.opened(hosted);
    return hosted;
  }

  private void runAll() {
    while (!work.isEmpty()) {
      work.remove().run();
    }
  }

  private static TableSchema schema(String key, String value) {
    var message = FakeRegion.SCHEMA.message().toBuilder();
    for (String[] pair :
        new String[][] {{key, value}, {"KeyPrefixRegionSplitPolicy.prefix_length", "2"}}) {
      message.addAttributes(
          BytesBytesPair.newBuilder()
              .setFirst(ByteString.copyFromUtf8(pair[0]))
              .setSecond(ByteString.copyFromUtf8(pair[1])));
    }
    return new TableSchema(message.build());
  }
}
