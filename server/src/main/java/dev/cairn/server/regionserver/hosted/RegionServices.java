package dev.cairn.server.regionserver.hosted;

import dev.cairn.server.rpc.service.RpcCall;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** The services of the coprocessors of a region, or of a server (endpoints). Thread-safe. */
@FunctionalInterface
public interface RegionServices {
  /** No service. */
  RegionServices NONE = (call, request) -> Optional.empty();

  /**
   * Calls a service, and waits for its answer. Called by handlers, not by network threads.
   *
   * @return the answer; empty if there is no service of that name
   * @throws IOException the service's failure
   */
  Optional<NameBytesPair> call(RpcCall call, CoprocessorServiceCall request) throws IOException;

  /**
   * Calls a service that the server itself has, with the hooks that see calls of services. Called
   * by handlers, not by network threads.
   */
  default NameBytesPair callBuiltIn(RpcCall call, CoprocessorServiceCall request, BuiltIn service)
      throws IOException {
    return service.call(request.getRequest());
  }

  /** A method of a service that the server itself has. */
  @FunctionalInterface
  interface BuiltIn {
    /** Answers a request. */
    NameBytesPair call(ByteString request) throws IOException;
  }
}
