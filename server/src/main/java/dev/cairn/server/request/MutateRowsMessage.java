package dev.cairn.server.request;

import dev.cairn.engine.wal.Nonce;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.ExtensionRegistryLite;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.MessageLite;
import org.apache.hbase.thirdparty.com.google.protobuf.Parser;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.hbase.thirdparty.com.google.protobuf.WireFormat;

/**
 * What {@code MultiRowMutationService.MutateRows} is asked. HBase publishes the message only for
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
 * @param mutations what is to be done
 * @param nonce the number of the change, if it must not be made twice
 * @param conditions what must hold, all of it
 */
public record MutateRowsMessage(
    List<MutationProto> mutations, Nonce nonce, List<Condition> conditions) {
  /** The name under which the answer's type travels. */
  public static final String RESPONSE_TYPE =
      "org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos$MutateRowsResponse";

  private static final int MUTATION = (1 << 3) | WireFormat.WIRETYPE_LENGTH_DELIMITED;
  private static final int NONCE_GROUP = (2 << 3) | WireFormat.WIRETYPE_VARINT;
  private static final int NONCE = (3 << 3) | WireFormat.WIRETYPE_VARINT;
  private static final int CONDITION = (5 << 3) | WireFormat.WIRETYPE_LENGTH_DELIMITED;

  private static final byte PROCESSED = (1 << 3) | WireFormat.WIRETYPE_VARINT;

  /**
   * Reads a message.
   *
   * @throws DoNotRetryIOException if it is damaged
   */
  public static MutateRowsMessage parse(ByteString bytes) throws DoNotRetryIOException {
    List<MutationProto> mutations = new ArrayList<>();
    List<Condition> conditions = new ArrayList<>();
    long nonceGroup = 0;
    long nonce = 0;
    try {
      CodedInputStream in = bytes.newCodedInput();
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (tag) {
          case MUTATION -> mutations.add(read(in, MutationProto.parser()));
          case NONCE_GROUP -> nonceGroup = in.readUInt64();
          case NONCE -> nonce = in.readUInt64();
          case CONDITION -> conditions.add(read(in, Condition.parser()));
          default -> in.skipField(tag);
        }
      }
    } catch (IOException e) {
      throw new DoNotRetryIOException(
          "The request of MultiRowMutationService.MutateRows is damaged: " + e.getMessage(), e);
    }
    return new MutateRowsMessage(mutations, new Nonce(nonceGroup, nonce), conditions);
  }

  private static <M extends MessageLite> M read(CodedInputStream in, Parser<M> parser)
      throws IOException {
    M message = in.readMessage(parser, ExtensionRegistryLite.getEmptyRegistry());
    if (!message.isInitialized()) {
      throw new InvalidProtocolBufferException(
          "a required field is missing in a " + message.getClass().getSimpleName());
    }
    return message;
  }

  /** Returns the answer. */
  public static ByteString response(boolean processed) {
    return UnsafeByteOperations.unsafeWrap(new byte[] {PROCESSED, (byte) (processed ? 1 : 0)});
  }
}
