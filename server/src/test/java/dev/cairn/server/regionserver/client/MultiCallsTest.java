package dev.cairn.server.regionserver.client;

import static dev.cairn.server.regionserver.client.MultiCallsFixture.F;
import static dev.cairn.server.regionserver.client.MultiCallsFixture.b;
import static dev.cairn.server.regionserver.client.MultiCallsFixture.get;
import static dev.cairn.server.regionserver.client.MultiCallsFixture.group;
import static dev.cairn.server.regionserver.client.MultiCallsFixture.put;
import static dev.cairn.server.regionserver.client.MultiCallsFixture.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.filter.CellView;
import dev.cairn.server.regionserver.FakeCall;
import dev.cairn.server.regionserver.FakeRegion;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.CompareType;
import org.junit.jupiter.api.Test;

/** Batches of actions on several regions, as messages that HBase's own client code makes. */
class MultiCallsTest {
  private final MultiCallsFixture fixture = new MultiCallsFixture();
  private final FakeRegion region = fixture.region;
  private final FakeRegion other = fixture.other;
  private final FakeCall call = fixture.call;

  @Test
  void aBatchOfTooManyActionsIsRefusedIfConfigured() throws IOException {
    MultiRequest request =
        MultiRequest.newBuilder()
            .addRegionAction(
                group(region)
                    .addAction(write(0, MutationType.PUT, put("a", "q", "1")))
                    .addAction(write(1, MutationType.PUT, put("b", "q", "2"))))
            .build();
    fixture.configure(
        Map.of(
            "hbase.rpc.rows.warning.threshold",
            "1",
            "hbase.rpc.rows.size.threshold.reject",
            "true"));
    assertThatThrownBy(() -> fixture.multi(call, request))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("2 actions in one call")
        .hasMessageContaining("hbase.rpc.rows.warning.threshold (1)");
    assertThat(region.values).isEmpty();
    fixture.configure(Map.of("hbase.rpc.rows.warning.threshold", "1"));
    fixture.multi(call, request);
    assertThat(region.values).hasSize(2);
  }

  @Test
  void neighboursAreWrittenTogether_andResultsKeepTheirPlaces() throws IOException {
    MultiResponse response =
        fixture.multi(
            call,
            MultiRequest.newBuilder()
                .addRegionAction(
                    group(region)
                        .addAction(write(0, MutationType.PUT, put("a", "q", "1")))
                        .addAction(write(1, MutationType.PUT, put("b", "q", "2")))
                        .addAction(get(2, "a"))
                        .addAction(
                            write(
                                3, MutationType.DELETE, new Delete(b("b")).addColumns(F, b("q")))))
                .addRegionAction(
                    group(other).addAction(write(0, MutationType.PUT, put("x", "q", "3"))))
                .build());

    assertThat(region.batches).containsExactly(2, 1);
    assertThat(region.values).containsOnlyKeys("a:q");
    assertThat(other.values).containsOnlyKeys("x:q");
    RegionActionResult first = response.getRegionActionResult(0);
    assertThat(first.getResultOrExceptionList()).extracting("index").containsExactly(0, 1, 2, 3);
    assertThat(first.getResultOrException(2).getResult().getAssociatedCellCount()).isEqualTo(1);
    assertThat(call.response.size()).isEqualTo(1);
    assertThat(call.response.get(0).value()).isEqualTo(b("1"));
    assertThat(first.hasProcessed()).isFalse();
  }

  @Test
  void cellsInsideTheMessageForACallerWithoutACodec() throws IOException {
    region.values.put("a:q", b("1"));
    call.acceptsCellBlock = false;
    MultiResponse response =
        fixture.multi(
            call,
            MultiRequest.newBuilder()
                .addRegionAction(group(region).addAction(get(0, "a")))
                .build());
    var result = response.getRegionActionResult(0).getResultOrException(0).getResult();
    assertThat(result.getCell(0).getValue().toByteArray()).isEqualTo(b("1"));
    assertThat(call.response.isEmpty()).isTrue();
  }

  @Test
  void oneBadActionLeavesTheOthersAlone() throws IOException {
    Put unknownFamily = new Put(b("b")).addColumn(b("g"), b("q"), b("2"));
    Put tooLarge = new Put(b("c")).addColumn(F, b("q"), new byte[2_000]);
    MultiResponse response =
        fixture.multi(
            call,
            MultiRequest.newBuilder()
                .addRegionAction(
                    group(region)
                        .addAction(write(0, MutationType.PUT, put("a", "q", "1")))
                        .addAction(write(1, MutationType.PUT, unknownFamily))
                        .addAction(write(2, MutationType.PUT, tooLarge))
                        .addAction(write(3, MutationType.PUT, put("d", "q", "4"))))
                .build());
    RegionActionResult result = response.getRegionActionResult(0);
    assertThat(region.values).containsOnlyKeys("a:q", "d:q");
    assertThat(result.getResultOrException(1).getException().getName())
        .isEqualTo(NoSuchColumnFamilyException.class.getName());
    assertThat(result.getResultOrException(2).getException().getValue().toStringUtf8())
        .contains("hbase.server.keyvalue.maxsize");
    assertThat(result.getResultOrException(3).hasResult()).isTrue();
  }

  @Test
  void noMutationGetsTheCellsOfOneThatCountedTooMany() throws IOException {
    Action.Builder greedy = write(0, MutationType.PUT, put("a", "q", "1")).toBuilder();
    greedy.getMutationBuilder().clearColumnValue().setAssociatedCellCount(3);
    call.request.add(b("a"), F, b("q"), 1, (byte) 4, b("1"), new byte[0]);
    MultiResponse response =
        fixture.multi(
            call,
            MultiRequest.newBuilder()
                .addRegionAction(
                    group(region)
                        .addAction(greedy)
                        .addAction(fixture.counted(1, put("a", "q", "2"))))
                .build());
    RegionActionResult result = response.getRegionActionResult(0);
    assertThat(result.getResultOrException(0).hasException()).isTrue();
    assertThat(result.getResultOrException(1).hasException()).isTrue();
    assertThat(region.values).isEmpty();
  }

  @Test
  void aRegionThatIsNotHereFailsAlone_andItsCellsArePassedOver() throws IOException {
    FakeRegion elsewhere = new FakeRegion("zz");
    Put strange = put("z", "q", "1");
    Put here = put("a", "q", "2");
    call.request.add(cell(strange));
    call.request.add(cell(here));
    MultiResponse response =
        fixture.multi(
            call,
            MultiRequest.newBuilder()
                .addRegionAction(group(elsewhere).addAction(fixture.counted(0, strange)))
                .addRegionAction(group(region).addAction(fixture.counted(0, here)))
                .build());
    assertThat(response.getRegionActionResult(0).getException().getName())
        .isEqualTo(NotServingRegionException.class.getName());
    assertThat(Bytes.utf8(region.values.get("a:q"))).isEqualTo("2");
  }

  @Test
  void anAtomicGroupFailsAsAWhole() throws IOException {
    RegionAction.Builder group =
        group(region)
            .setAtomic(true)
            .addAction(write(0, MutationType.PUT, put("a", "q", "1")))
            .addAction(get(1, "a"));
    MultiResponse response =
        fixture.multi(call, MultiRequest.newBuilder().addRegionAction(group).build());
    assertThat(response.getRegionActionResult(0).hasException()).isTrue();
    assertThat(region.values).isEmpty();
  }

  @Test
  void aGroupUnderACondition() throws IOException {
    RegionAction.Builder group =
        group(region)
            .setCondition(condition("a", "q", CompareType.EQUAL, ""))
            .addAction(write(0, MutationType.PUT, put("a", "q", "1")));
    MultiRequest request = MultiRequest.newBuilder().addRegionAction(group).build();
    assertThat(fixture.multi(call, request).getRegionActionResult(0).getProcessed()).isTrue();
    RegionActionResult unmet = fixture.multi(call, request).getRegionActionResult(0);
    assertThat(unmet.getProcessed()).isFalse();
    // The asynchronous client looks for as many answers as it sent actions.
    assertThat(unmet.getResultOrExceptionCount()).isEqualTo(1);
    assertThat(region.batches).isEmpty();
  }

  private static Condition condition(
      String row, String qualifier, CompareType comparison, String value) {
    return Condition.newBuilder()
        .setRow(Messages.wrap(b(row)))
        .setFamily(Messages.wrap(F))
        .setQualifier(Messages.wrap(b(qualifier)))
        .setCompareType(comparison)
        .setComparator(ProtobufUtil.toComparator(new BinaryComparator(b(value))))
        .build();
  }

  private static Cell cell(Put put) {
    org.apache.hadoop.hbase.Cell only = put.getFamilyCellMap().firstEntry().getValue().get(0);
    return CellView.toEngine(only);
  }

  @Test
  void aBatchThatAnOperatorEndsStopsBeforeItsNextGet() throws IOException {
    FakeCall ended = fixture.call.handled();
    fixture.region.beforeRow = ended::end; // during the first get
    RegionAction.Builder group =
        MultiCallsFixture.group(fixture.region)
            .addAction(MultiCallsFixture.get(0, "a"))
            .addAction(MultiCallsFixture.get(1, "b"));
    RegionActionResult result =
        fixture
            .multi(ended, MultiRequest.newBuilder().addRegionAction(group).build())
            .getRegionActionResult(0);
    assertThat(result.getResultOrException(0).hasException()).isFalse();
    assertThat(result.getResultOrException(1).getException().getName())
        .isEqualTo("org.apache.hadoop.hbase.DoNotRetryIOException");
  }
}
