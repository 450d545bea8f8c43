package dev.cairn.server.regionserver.client;

import static dev.cairn.server.regionserver.client.MultiCallsFixture.F;
import static dev.cairn.server.regionserver.client.MultiCallsFixture.b;
import static dev.cairn.server.regionserver.client.MultiCallsFixture.group;
import static dev.cairn.server.regionserver.client.MultiCallsFixture.message;
import static dev.cairn.server.regionserver.client.MultiCallsFixture.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.server.regionserver.FakeCall;
import dev.cairn.server.regionserver.FakeRegion;
import java.io.IOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.junit.jupiter.api.Test;

/** Calls of {@code Multi} that hold puts only, whose cells are written in one piece. */
class PutsAloneTest {
  private final MultiCallsFixture fixture = new MultiCallsFixture();
  private final FakeRegion region = fixture.region;
  private final FakeRegion other = fixture.other;
  private final FakeCall call = fixture.call;

  @Test
  void putsAloneAreWrittenInOnePiece() throws IOException {
    Put one = put("a", "q", "1");
    Put two = put("b", "q", "2").addColumn(F, b("r"), b("3"));
    Put three = put("x", "q", "4");
    MultiResponse response =
        fixture.putsAlone(
            group(region).addAction(fixture.counted(5, one)).addAction(fixture.counted(2, two)),
            group(other).addAction(fixture.counted(10_000, three)));
    assertThat(region.putBatches).containsExactly(2);
    assertThat(other.putBatches).containsExactly(1);
    assertThat(region.batches).isEmpty();
    assertThat(region.values).containsOnlyKeys("a:q", "b:q", "b:r");
    assertThat(Bytes.utf8(other.values.get("x:q"))).isEqualTo("4");
    assertThat(response.getRegionActionResult(0).getResultOrExceptionList())
        .extracting("index")
        .containsExactly(5, 2);
    assertThat(response.getRegionActionResult(0).getResultOrException(0).hasResult()).isTrue();
    assertThat(response.getRegionActionResult(1).getResultOrException(0).getIndex())
        .isEqualTo(10_000);
    assertThat(fixture.hostedOther.writeRequestCount()).isEqualTo(1);
  }

  @Test
  void ofPutsAloneABadOneFailsAlone() throws IOException {
    Put good = put("a", "q", "1");
    Put unknownFamily = new Put(b("b")).addColumn(b("g"), b("q"), b("2"));
    Put tooLarge = new Put(b("x")).addColumn(F, b("q"), new byte[2_000]);
    Put another = put("y", "q", "1");
    MultiResponse response =
        fixture.putsAlone(
            group(region)
                .addAction(fixture.counted(0, good))
                .addAction(fixture.counted(1, unknownFamily)),
            group(other)
                .addAction(fixture.counted(2, tooLarge))
                .addAction(fixture.counted(3, another)));
    assertThat(region.values).containsOnlyKeys("a:q");
    assertThat(other.values).containsOnlyKeys("y:q");
    assertThat(response.getRegionActionResult(0).getResultOrException(0).hasResult()).isTrue();
    assertThat(response.getRegionActionResult(0).getResultOrException(1).getException().getName())
        .isEqualTo(NoSuchColumnFamilyException.class.getName());
    assertThat(
            response
                .getRegionActionResult(1)
                .getResultOrException(0)
                .getException()
                .getValue()
                .toStringUtf8())
        .contains("hbase.server.keyvalue.maxsize");
    assertThat(response.getRegionActionResult(1).getResultOrException(1).hasResult()).isTrue();
    assertThat(fixture.hostedOther.writeRequestCount()).as("of which one was done").isEqualTo(1);
  }

  @Test
  void ofPutsAloneThoseOfARegionThatIsNotHereFail_andTheirCellsArePassedOver() throws IOException {
    Put strange = put("z", "q", "1");
    Put here = put("a", "q", "2");
    MultiResponse response =
        fixture.putsAlone(
            group(new FakeRegion("zz")).addAction(fixture.counted(0, strange)),
            group(region).addAction(fixture.counted(1, here)));
    assertThat(response.getRegionActionResult(0).getException().getName())
        .isEqualTo(NotServingRegionException.class.getName());
    assertThat(Bytes.utf8(region.values.get("a:q"))).isEqualTo("2");
  }

  @Test
  void ofPutsAloneEachIsToldWhyTheRegionTakesNone() throws IOException {
    region.failure = new RegionBusyException("later");
    Put one = put("a", "q", "1");
    Put two = put("b", "q", "2");
    RegionActionResult result =
        fixture
            .putsAlone(
                group(region).addAction(fixture.counted(0, one)).addAction(fixture.counted(1, two)))
            .getRegionActionResult(0);
    assertThat(result.getResultOrExceptionList())
        .extracting(told -> told.getException().getName())
        .containsOnly("org.apache.hadoop.hbase.RegionTooBusyException");
    assertThat(result.getResultOrExceptionList()).extracting("index").containsExactly(0, 1);
  }

  @Test
  void aPutGetsNoCellsOfAnotherRow() throws IOException {
    call.request.add(b("other"), F, b("q"), 1, (byte) 4, b("1"), new byte[0]);
    Action named = fixture.counted(0, put("a", "q", "1"));
    MultiResponse response = fixture.multi(call, message(group(region).addAction(named)));
    assertThat(response.getRegionActionResult(0).getResultOrException(0).getException().getName())
        .isEqualTo("org.apache.hadoop.hbase.client.WrongRowIOException");
    assertThat(region.values).isEmpty();
  }
}
