package dev.cairn.server.request;

import dev.cairn.engine.wal.file.Nonce;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.hbase.thirdparty.com.google.protobuf.WireFormat;

/**
 * The request of {@code MultiRowMutationService.MutateRows}. HBase publishes the message only for
 * the protobuf library of its old clients; its fields, as that artifact (hbase-protocol 2.6) has
 * them, are
 *
 * <pre>
 *   MutateRowsRequest               MutateRowsResponse
 *     1  repeated MutationProto       1  bool processed
 *     2  uint64 nonce group
 *     3  uint64 nonce
 *     4  RegionSpecifier
 *     5  repeated Condition
 * </pre>
 *
 * <p>The region is the one that the call is made of; field 4 is passed over, as HBase does.
 *
 * @param mutations the mutations
 * @param nonce number of the change, if it must not be made twice
 * @param conditions conditions, all of which must hold
 */
public record MutateRowsMessage(
    List<MutationMessage> mutations, Nonce nonce, List<Condition> conditions) {
  /** The name under which the answer's type travels. */
  public static final String RESPONSE_TYPE =
      "org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos$MutateRowsResponse";

  private static final byte PROCESSED = (1 << 3) | WireFormat.WIRETYPE_VARINT;

  /**
   * Reads a message.
   *
   * @throws DoNotRetryIOException if it is damaged
   */
  public static MutateRowsMessage parse(ByteString bytes) throws DoNotRetryIOException {
    byte[] message = bytes.toByteArray();
    try {
      return new Reader(message).message();
    } catch (IOException e) {
      throw new DoNotRetryIOException(
          "The request of MultiRowMutationService.MutateRows is damaged: " + e.getMessage(), e);
    }
  }

  private static final class Reader extends MessageReader {
    private static final int MUTATION = bytes(1);
    private static final int NONCE_GROUP = number(2);
    private static final int NONCE = number(3);
    private static final int CONDITION = bytes(5);

    Reader(byte[] message) {
      super(message, 0, message.length);
    }

    MutateRowsMessage message() throws IOException {
      List<MutationMessage> mutations = new ArrayList<>();
      List<Condition> conditions = new ArrayList<>();
      long nonceGroup = 0;
      long nonce = 0;
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (tag == MUTATION) {
          mutations.add(MutationReader.read(this, null));
        } else if (tag == NONCE_GROUP) {
          nonceGroup = in.readUInt64();
        } else if (tag == NONCE) {
          nonce = in.readUInt64();
        } else if (tag == CONDITION) {
          conditions.add(initialized(part(Condition.parser())));
        } else if (!in.skipField(tag)) {
          break;
        }
      }
      in.checkLastTagWas(0);
      return new MutateRowsMessage(mutations, new Nonce(nonceGroup, nonce), conditions);
    }
  }

  /** Returns the answer. */
  public static ByteString response(boolean processed) {
    return UnsafeByteOperations.unsafeWrap(new byte[] {PROCESSED, (byte) (processed ? 1 : 0)});
  }
}
