package dev.cairn.server.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.CallSubject.RegionPart;
import dev.cairn.server.rpc.service.RowAccess;
import dev.cairn.server.rpc.service.RpcCall;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.junit.jupiter.api.Test;

/** What calls of ClientService concern, as interceptors see it. */
class RequestSubjectsTest {
  private static final byte[] REGION = Bytes.utf8("t,,1.0123.");
  private static final byte[] F = Bytes.utf8("f");
  private static final byte[] G = Bytes.utf8("g");
  private static final byte[] Q = Bytes.utf8("q");

  private final CellBuffer beside = new CellBuffer();
  private final RpcCall call =
      (RpcCall)
          Proxy.newProxyInstance(
              RpcCall.class.getClassLoader(),
              new Class<?>[] {RpcCall.class},
              (proxy, method, arguments) -> {
                assertThat(method.getName()).isEqualTo("requestCells");
                return beside;
              });

  @Test
  void aGetReadsOneRow() throws IOException {
    byte[] message =
        RequestConverter.buildGetRequest(REGION, new Get(Bytes.utf8("r")).addFamily(F))
            .toByteArray();
    assertThat(accesses(RequestSubjects.of(call, GetMessage.parse(message))))
        .containsExactly("READ r to r of [f]");
  }

  @Test
  void aScanReadsARange() throws IOException {
    Scan scan = new Scan().withStartRow(Bytes.utf8("a")).withStopRow(Bytes.utf8("c"));
    assertThat(accesses(scanned(scan))).containsExactly("READ a to c of []");
    Scan reversed =
        new Scan()
            .setReversed(true)
            .withStartRow(Bytes.utf8("c"))
            .withStopRow(Bytes.utf8("a"))
            .addFamily(G);
    assertThat(accesses(scanned(reversed))).containsExactly("READ a to c of [g]");
  }

  private CallSubject scanned(Scan scan) throws IOException {
    byte[] message = RequestConverter.buildScanRequest(REGION, scan, 10, false).toByteArray();
    return RequestSubjects.of(call, ScanMessage.parse(message));
  }

  @Test
  void aLaterCallOfAScanConcernsItsScanner() throws IOException {
    byte[] next = RequestConverter.buildScanRequest(7, 10, false, false).toByteArray();
    byte[] close = RequestConverter.buildScanRequest(7, 0, true, false).toByteArray();
    assertThat(RequestSubjects.of(call, ScanMessage.parse(next)))
        .isEqualTo(new CallSubject.Scanner(7, true));
    assertThat(RequestSubjects.of(call, ScanMessage.parse(close)))
        .isEqualTo(new CallSubject.Scanner(7, false));
  }

  @Test
  void aMutationWritesItsFamiliesAndAComputedOneReadsThemToo() throws IOException {
    Put put = new Put(Bytes.utf8("r")).addColumn(F, Q, Q).addColumn(G, Q, Q);
    assertThat(accesses(mutated(RequestConverter.buildMutateRequest(REGION, put).toByteArray())))
        .containsExactly("WRITE r to r of [f, g]");
    Append append = new Append(Bytes.utf8("r")).addColumn(F, Q, Q);
    assertThat(
            accesses(
                mutated(RequestConverter.buildMutateRequest(REGION, append, 0, 0).toByteArray())))
        .containsExactly("READ_AND_WRITE r to r of [f]");
  }

  private CallSubject mutated(byte[] message) throws IOException {
    return RequestSubjects.of(call, MutateMessage.parse(message));
  }

  /** The cells of all actions come beside the message, one after the other. */
  @Test
  void aBatchNamesEachRowWithTheFamiliesOfItsOwnCells() throws IOException {
    MultiRequest.Builder request = MultiRequest.newBuilder();
    RegionAction.Builder puts = region();
    for (String row : List.of("a", "b")) {
      byte[] family = row.equals("a") ? F : G;
      beside.add(Bytes.utf8(row), family, Q, 1, CellType.PUT.code(), Q, Bytes.EMPTY);
      Put put = new Put(Bytes.utf8(row)).addColumn(family, Q, Q);
      puts.addAction(
          Action.newBuilder().setMutation(ProtobufUtil.toMutationNoData(MutationType.PUT, put)));
    }
    RegionAction.Builder mixed = region();
    mixed.addAction(
        Action.newBuilder().setGet(ProtobufUtil.toGet(new Get(Bytes.utf8("c")).addFamily(G))));
    beside.add(Bytes.utf8("d"), F, Q, 1, CellType.DELETE_COLUMN.code(), Bytes.EMPTY, Bytes.EMPTY);
    Delete delete = new Delete(Bytes.utf8("d")).addColumns(F, Q);
    mixed.addAction(
        Action.newBuilder()
            .setMutation(ProtobufUtil.toMutationNoData(MutationType.DELETE, delete)));
    byte[] message = request.addRegionAction(puts).addRegionAction(mixed).build().toByteArray();
    assertThat(accesses(RequestSubjects.of(call, MultiMessage.parse(message))))
        .containsExactly(
            "WRITE a to a of [f]",
            "WRITE b to b of [g]",
            "READ c to c of [g]",
            "WRITE d to d of [f]");
  }

  private static RegionAction.Builder region() {
    return RegionAction.newBuilder()
        .setRegion(
            RequestConverter.buildRegionSpecifier(
                org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier
                    .RegionSpecifierType.REGION_NAME,
                REGION));
  }

  private static List<String> accesses(CallSubject subject) {
    assertThat(subject).isInstanceOf(CallSubject.Regions.class);
    return ((CallSubject.Regions) subject)
        .regions().stream()
            .peek(part -> assertThat(part.name().toByteArray()).isEqualTo(REGION))
            .map(RegionPart::accesses)
            .flatMap(List::stream)
            .map(RequestSubjectsTest::words)
            .toList();
  }

  private static String words(RowAccess access) {
    assertThat(access.bytes() > 0).isEqualTo(access.kind() != RowAccess.Kind.READ);
    return access.kind()
        + " "
        + Bytes.utf8(access.firstRow())
        + " to "
        + Bytes.utf8(access.lastRow())
        + " of "
        + access.families().stream().map(Bytes::utf8).toList();
  }
}
