package dev.cairn.server.regionserver;

import dev.cairn.server.rpc.RpcCall;
import java.io.IOException;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceResponse;

/** Answers {@code ExecService} and {@code ExecRegionServerService}: no service is hosted. */
final class CoprocessorCalls {
  private final OnlineRegions regions;

  CoprocessorCalls(OnlineRegions regions) {
    this.regions = regions;
  }

  /** Refuses a call of a region's service, of a region that is here. */
  CoprocessorServiceResponse onRegion(RpcCall call, CoprocessorServiceRequest request)
      throws IOException {
    regions.find(request.getRegion());
    throw unsupported(request.getCall());
  }

  /** Refuses a call of a server's service. */
  CoprocessorServiceResponse onServer(RpcCall call, CoprocessorServiceRequest request)
      throws IOException {
    throw unsupported(request.getCall());
  }

  /** Returns the error that names the service. */
  static IOException unsupported(CoprocessorServiceCall call) {
    return new UnknownProtocolException(
        "No registered coprocessor service found for "
            + call.getServiceName()
            + ": Cairn does not host coprocessor services");
  }
}
