package dev.cairn.server.master;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.rpc.RpcCall;
import dev.cairn.server.rpc.RpcService;
import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.UnknownRegionException;
import org.apache.hadoop.hbase.client.DoNotRetryRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SplitTableRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SplitTableRegionResponse;

/** The method of {@code MasterService} that splits a region. */
final class SplitMethods {
  private SplitMethods() {}

  static void register(RpcService.Builder service, MasterGate gate) {
    service.on(
        "SplitRegion",
        SplitTableRegionRequest.getDefaultInstance(),
        (call, request) -> {
          RegionInfo region = region(request);
          byte[] row =
              request.getSplitRow().isEmpty()
                  ? middle(gate, call, region)
                  : request.getSplitRow().toByteArray();
          long id =
              gate.submit(
                  call,
                  request.getNonceGroup(),
                  request.getNonce(),
                  master ->
                      new SplitRegionProcedure(
                          master.environment(),
                          call.user(),
                          require(master, region).region,
                          row,
                          master.switches()::isOn));
          return SplitTableRegionResponse.newBuilder().setProcId(id).build();
        });
  }

  private static RegionInfo region(SplitTableRegionRequest request) throws IOException {
    try {
      return Messages.regionInfo(request.getRegionInfo());
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    }
  }

  /** Asks the region's server, on the caller's thread, where to split. */
  private static byte[] middle(MasterGate gate, RpcCall call, RegionInfo region)
      throws IOException {
    ServerName server = gate.ask(call, master -> openAt(require(master, region)));
    RegionServerCalls calls = gate.ask(call, master -> master.environment().calls());
    return calls
        .splitPoint(server, region)
        .orElseThrow(
            () ->
                new DoNotRetryRegionException(
                    region
                        + " is not splittable: it has no row that divides it, because it has too"
                        + " little in it, or still refers to files of the region that it was split"
                        + " from; give a split point, or compact it first"));
  }

  private static ServerName openAt(RegionNode node) throws IOException {
    if (node.state != RegionState.State.OPEN || node.server.isEmpty()) {
      throw new DoNotRetryRegionException(node.region + " is not open, but " + node.state);
    }
    return node.server.get();
  }

  private static RegionNode require(ActiveMaster master, RegionInfo region) throws IOException {
    return master
        .assignments()
        .find(region.encodedName())
        .orElseThrow(() -> new UnknownRegionException(Bytes.toStringBinary(region.regionName())));
  }
}
