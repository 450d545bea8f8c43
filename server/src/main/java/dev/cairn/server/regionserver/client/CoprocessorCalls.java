package dev.cairn.server.regionserver.client;

import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.RegionServices;
import dev.cairn.server.request.MutateRowsMessage;
import dev.cairn.server.rpc.service.RpcCall;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * Answers {@code ExecService} and {@code ExecRegionServerService}, the calls of services that HBase
 * hosts as coprocessors: those that hooks bring, and of a region also {@link MultiRowMutations}.
 * Thread-safe.
 */
final class CoprocessorCalls {
  private final OnlineRegions regions;
  private final MultiRowMutations rows;
  private final RegionServices ofServer;
  private final CallTimes times;

  CoprocessorCalls(
      OnlineRegions regions, MultiRowMutations rows, RegionServices ofServer, CallTimes times) {
    this.regions = regions;
    this.rows = rows;
    this.ofServer = ofServer;
    this.times = times;
  }

  /** Calls a service of a region. */
  CoprocessorServiceResponse onRegion(RpcCall call, CoprocessorServiceRequest request)
      throws IOException {
    HostedRegion region = regions.find(request.getRegion());
    return CoprocessorServiceResponse.newBuilder()
        .setRegion(
            RegionSpecifier.newBuilder()
                .setType(RegionSpecifier.RegionSpecifierType.REGION_NAME)
                .setValue(region.name()))
        .setValue(onRegion(call, region, request.getCall()))
        .build();
  }

  /** As {@link #onRegion(RpcCall, CoprocessorServiceRequest)}, of a region that was found. */
  NameBytesPair onRegion(RpcCall call, HostedRegion region, CoprocessorServiceCall request)
      throws IOException {
    if (!request.getServiceName().equals(MultiRowMutations.SERVICE)) {
      Optional<String> refusal = region.refusal();
      if (refusal.isPresent()) {
        throw new DoNotRetryIOException(refusal.get());
      }
      return region
          .services()
          .call(call, request)
          .orElseThrow(() -> unknown(request, " in region " + region));
    }
    return region
        .services()
        .callBuiltIn(
            call, request, message -> mutateRows(call, region, request.getMethodName(), message));
  }

  private NameBytesPair mutateRows(
      RpcCall call, HostedRegion region, String method, ByteString request) throws IOException {
    return NameBytesPair.newBuilder()
        .setName(MutateRowsMessage.RESPONSE_TYPE)
        .setValue(rows.call(call, region, method, request, times.waitMillis(call)))
        .build();
  }

  /** Calls a service of the server. */
  CoprocessorServiceResponse onServer(RpcCall call, CoprocessorServiceRequest request)
      throws IOException {
    return CoprocessorServiceResponse.newBuilder()
        .setRegion(
            RegionSpecifier.newBuilder()
                .setType(RegionSpecifier.RegionSpecifierType.REGION_NAME)
                .setValue(ByteString.EMPTY))
        .setValue(
            ofServer
                .call(call, request.getCall())
                .orElseThrow(() -> unknown(request.getCall(), "")))
        .build();
  }

  private static IOException unknown(CoprocessorServiceCall call, String where) {
    return new UnknownProtocolException(
        "No registered coprocessor service found for " + call.getServiceName() + where);
  }
}
