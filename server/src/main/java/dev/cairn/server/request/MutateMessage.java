package dev.cairn.server.request;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * The request of a {@code Mutate}.
 *
 * @param regionName the name of the region
 * @param hasEncodedName whether {@code regionName} is the encoded name
 * @param mutation the mutation
 * @param nonceGroup the nonce group of the mutation
 * @param condition the condition for the mutation
 */
public record MutateMessage(
    ByteString regionName,
    boolean hasEncodedName,
    MutationMessage mutation,
    long nonceGroup,
    Optional<Condition> condition)
    implements RegionRequest {
  /**
   * Reads a message.
   *
   * @throws InvalidProtocolBufferException if the bytes are not such a message
   */
  public static MutateMessage parse(byte[] message) throws InvalidProtocolBufferException {
    try {
      return new Reader(message).message();
    } catch (IOException e) {
      throw MessageReader.malformed(e);
    }
  }

  /**
   * Tells whether the mutation depends on existing cells: it computes values, or has a condition.
   */
  public boolean isAtomic() {
    return condition.isPresent() || mutation.isComputed();
  }

  /** Format: the message {@code MutateRequest} of HBase's {@code Client.proto}. */
  private static final class Reader extends MessageReader {
    private static final int REGION = bytes(MutateRequest.REGION_FIELD_NUMBER);
    private static final int MUTATION = bytes(MutateRequest.MUTATION_FIELD_NUMBER);
    private static final int CONDITION = bytes(MutateRequest.CONDITION_FIELD_NUMBER);
    private static final int NONCE_GROUP = number(MutateRequest.NONCE_GROUP_FIELD_NUMBER);

    Reader(byte[] message) {
      super(message, 0, message.length);
    }

    MutateMessage message() throws IOException {
      MutationMessage mutation = null;
      Condition.Builder condition = null;
      long nonceGroup = 0;
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (tag == REGION) {
          region();
        } else if (tag == MUTATION) {
          mutation = MutationReader.read(this, mutation);
        } else if (tag == NONCE_GROUP) {
          nonceGroup = in.readUInt64();
        } else if (tag == CONDITION) {
          condition = part(condition == null ? Condition.newBuilder() : condition);
        } else if (!in.skipField(tag)) {
          break;
        }
      }
      in.checkLastTagWas(0);
      if (!hasRegion() || mutation == null) {
        throw missing(hasRegion() ? "mutation" : "region");
      }
      return new MutateMessage(
          regionName(),
          hasEncodedName(),
          MutationReader.merged(mutation),
          nonceGroup,
          condition(condition));
    }
  }
}
