package dev.cairn.server.regionserver.admin;

import dev.cairn.server.regionserver.replica.ReceivedMessages;
import dev.cairn.server.regionserver.replica.ReplicaReceiver;
import dev.cairn.server.regionserver.replica.ReplicaSender;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.CallSubject.RegionPart;
import dev.cairn.server.rpc.service.RpcCall;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ReplicateWALEntryRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ReplicateWALEntryResponse;

/**
 * Handles calls between servers of regions and servers of their replicas. Any number of threads.
 */
public final class ReplicaCalls {
  private final ReplicaReceiver receiver;
  private final ReplicaSender sender;

  /**
   * Creates it.
   *
   * @param receiver hands messages to the replicas here
   * @param sender sends messages of the regions here
   */
  public ReplicaCalls(ReplicaReceiver receiver, ReplicaSender sender) {
    this.receiver = receiver;
    this.sender = sender;
  }

  static CallSubject subject(RpcCall call, ReplicateWALEntryRequest request) {
    return new CallSubject.Regions(
        request.getEntryList().stream()
            .map(entry -> new RegionPart(entry.getKey().getEncodedRegionName(), true, List.of()))
            .toList());
  }

  /**
   * Hands messages to replicas, and notes which replicas have been opened or ask for a flush. If a
   * region or a replica is not here, or does not accept its message, handles the other messages and
   * then fails.
   */
  ReplicateWALEntryResponse replay(RpcCall call, ReplicateWALEntryRequest request)
      throws IOException {
    ReceivedMessages received = ReceivedMessages.read(request);
    try {
      receiver.receive(received.messages(), call.deadlineNanos());
    } finally {
      try {
        sender.greeted(received.greetings());
      } finally {
        sender.flushAsked(received.flushes());
      }
    }
    return ReplicateWALEntryResponse.getDefaultInstance();
  }
}
