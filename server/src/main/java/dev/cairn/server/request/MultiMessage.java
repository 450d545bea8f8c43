package dev.cairn.server.request;

import dev.cairn.server.request.PutGroupReader.PutArrays;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * The request of a {@code Multi}.
 *
 * @param groups the actions, region by region
 * @param nonceGroup the nonce group of the mutations
 * @param condition the condition of clients before 2.4, which send one group
 */
public record MultiMessage(
    List<RegionActions> groups, long nonceGroup, Optional<Condition> condition) {
  /**
   * Reads a message.
   *
   * @throws InvalidProtocolBufferException if the bytes are not such a message
   */
  public static MultiMessage parse(byte[] message) throws InvalidProtocolBufferException {
    try {
      return new Reader(message).message();
    } catch (IOException e) {
      throw MessageReader.malformed(e);
    }
  }

  /** Format: the message {@code MultiRequest} of HBase's {@code Client.proto}. */
  private static final class Reader extends MessageReader {
    private static final int GROUP = bytes(MultiRequest.REGIONACTION_FIELD_NUMBER);
    private static final int NONCE_GROUP = number(MultiRequest.NONCEGROUP_FIELD_NUMBER);
    private static final int CONDITION = bytes(MultiRequest.CONDITION_FIELD_NUMBER);

    Reader(byte[] message) {
      super(message, 0, message.length);
    }

    MultiMessage message() throws IOException {
      List<RegionActions> groups = new ArrayList<>();
      PutArrays arrays = new PutArrays();
      Condition.Builder condition = null;
      long nonceGroup = 0;
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (tag == GROUP) {
          int length = in.readRawVarint32();
          groups.add(RegionActionsReader.read(message, skip(length), length, arrays));
        } else if (tag == NONCE_GROUP) {
          nonceGroup = in.readUInt64();
        } else if (tag == CONDITION) {
          condition = part(condition == null ? Condition.newBuilder() : condition);
        } else if (!in.skipField(tag)) {
          break;
        }
      }
      in.checkLastTagWas(0);
      return new MultiMessage(groups, nonceGroup, condition(condition));
    }
  }
}
