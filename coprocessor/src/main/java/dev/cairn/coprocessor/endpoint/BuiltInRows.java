package dev.cairn.coprocessor.endpoint;

import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import dev.cairn.server.regionserver.hosted.RegionServices.BuiltIn;
import java.io.IOException;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MultiRowMutationService;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** Shows hooks the server's own {@code MultiRowMutationService} as a service of a coprocessor. */
public final class BuiltInRows extends MultiRowMutationService {
  private final BuiltIn rows;

  /** Creates the service of one call. */
  public BuiltInRows(BuiltIn rows) {
    this.rows = rows;
  }

  @Override
  public void mutateRows(
      RpcController controller, MutateRowsRequest request, RpcCallback<MutateRowsResponse> done) {
    MutateRowsResponse answer = MutateRowsResponse.getDefaultInstance();
    try {
      answer =
          MutateRowsResponse.parseFrom(
              rows.call(UnsafeByteOperations.unsafeWrap(request.toByteArray()))
                  .getValue()
                  .toByteArray());
    } catch (IOException e) {
      CoprocessorRpcUtils.setControllerException(controller, e);
    }
    done.run(answer);
  }
}
