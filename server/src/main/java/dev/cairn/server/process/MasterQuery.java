package dev.cairn.server.process;

import dev.cairn.server.rpc.RpcClient;
import dev.cairn.server.rpc.RpcEventLoops;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ClusterStatus;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.Option;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetClusterStatusRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetClusterStatusResponse;

/** Asks a master in another process how its cluster is. Stateless. */
public final class MasterQuery {
  private MasterQuery() {}

  /**
   * Returns how many regions should be open and are not, for the moment or since they cannot be.
   *
   * @param master where its RPC server listens
   * @throws IOException if it does not answer within {@code patience}
   */
  public static long regionsNotOpen(InetSocketAddress master, Duration patience)
      throws IOException {
    try (RpcEventLoops loops = new RpcEventLoops(1, ServerThreads.named("cairn-query"));
        RpcClient client = new RpcClient(loops, System.getProperty("user.name", "cairn"))) {
      GetClusterStatusResponse response =
          client.call(
              master,
              "MasterService",
              "GetClusterStatus",
              GetClusterStatusRequest.newBuilder().addOptions(Option.REGIONS_IN_TRANSITION).build(),
              GetClusterStatusResponse.getDefaultInstance(),
              patience);
      return notOpen(response.getClusterStatus());
    }
  }

  /** Counts regions on their way to be open; those about to be closed still serve, or shall not. */
  static long notOpen(ClusterStatus status) {
    return status.getRegionsInTransitionList().stream()
        .map(transition -> transition.getRegionState().getState())
        .filter(state -> state != State.OPEN && state != State.CLOSING)
        .count();
  }
}
