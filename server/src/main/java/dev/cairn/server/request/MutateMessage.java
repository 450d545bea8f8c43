package dev.cairn.server.request;

import dev.cairn.server.rpc.RpcMethod;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/** The request of a {@code Mutate}. */
public sealed interface MutateMessage {
  /**
   * What most mutations are: columns of a row, which lie in the message.
   *
   * @param regionName the full name
   * @param mutation what is to be done
   */
  record Plain(ByteString regionName, PlainMutation mutation) implements MutateMessage {
    @Override
    public RegionSpecifier region() {
      return PlainMutationFields.specifier(regionName);
    }

    @Override
    public boolean isAtomic() {
      return mutation.isAtomic();
    }

    @Override
    public long mutationBytes() {
      return mutation.length();
    }
  }

  /** Any mutation, as protobuf has it. */
  record Any(MutateRequest request) implements MutateMessage {
    @Override
    public RegionSpecifier region() {
      return request.getRegion();
    }

    @Override
    public boolean isAtomic() {
      return request.hasCondition() || isCountOrAppend(request.getMutation());
    }

    @Override
    public long mutationBytes() {
      return request.getMutation().getSerializedSize();
    }
  }

  /** Reads mutations of any kind. */
  RpcMethod.Parser<MutateRequest> ANY = RpcMethod.Parser.of(MutateRequest.getDefaultInstance());

  /** Reads a message. */
  static MutateMessage parse(byte[] message) throws InvalidProtocolBufferException {
    Optional<Plain> plain = PlainMutationReader.read(message);
    return plain.isPresent() ? plain.get() : new Any(ANY.parse(message));
  }

  /** Tells whether a mutation is an increment or an append, which build on what is there. */
  static boolean isCountOrAppend(MutationProto mutation) {
    return mutation.getMutateType() == MutationType.INCREMENT
        || mutation.getMutateType() == MutationType.APPEND;
  }

  /** Returns which region is meant. */
  RegionSpecifier region();

  /** Tells whether the mutation builds on what is there, or has a condition. */
  boolean isAtomic();

  /** Returns how long the mutation is, without cells beside the message, bytes. */
  long mutationBytes();
}
