package dev.cairn.server.request;

import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.server.request.QueryFields.QueryExtras;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * The request of a {@code Get}, or of a get in a {@code Multi}.
 *
 * @param regionName the name of the region; empty in a {@code Multi}
 * @param hasEncodedName whether {@code regionName} is the encoded name
 * @param row the engine's request, complete but for the extras
 * @param existenceOnly whether the answer only tells if the row exists
 * @param anyCellDoes whether the first cell that is found ends the read
 * @param closestBefore whether the client wants the row before if the row is missing, as clients
 *     before 1.0 do
 * @param tracked whether the client wants figures of the read
 * @param extras completed by {@link QueryDecoder}
 * @param message the array with the call's message, not to be changed
 * @param queryOffset where the message of the get begins in it
 * @param queryLength the length of the message of the get
 */
public record GetMessage(
    ByteString regionName,
    boolean hasEncodedName,
    ScanRequest row,
    boolean existenceOnly,
    boolean anyCellDoes,
    boolean closestBefore,
    boolean tracked,
    QueryExtras extras,
    byte[] message,
    int queryOffset,
    int queryLength)
    implements RegionRequest {
  /** Returns the get as it was sent. */
  public Get sent() throws IOException {
    return QueryFields.query(Get.parser(), message, queryOffset, queryLength);
  }

  /**
   * Reads a message.
   *
   * @throws InvalidProtocolBufferException if the bytes are no such message
   */
  public static GetMessage parse(byte[] message) throws InvalidProtocolBufferException {
    try {
      return new GetReader(message).message();
    } catch (IOException e) {
      throw MessageReader.malformed(e);
    }
  }

  /** Tells whether there is a filter, whose cost is unknown. */
  public boolean hasFilter() {
    return extras.filter().isPresent();
  }

  @Override
  public boolean isForReplicasToo() {
    return extras.fromReplicas();
  }
}
