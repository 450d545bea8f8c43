package dev.cairn.server.request;

import dev.cairn.server.rpc.RpcMethod;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/** The request of a {@code Multi}. */
public sealed interface MultiMessage {
  /** Puts alone, read without an object for each: what batches of writes mostly are. */
  record Puts(List<PutGroup> groups) implements MultiMessage {}

  /** Any actions, as protobuf has them. */
  record Actions(MultiRequest request) implements MultiMessage {}

  /** Reads actions of any kind. */
  RpcMethod.Parser<MultiRequest> ACTIONS = RpcMethod.Parser.of(MultiRequest.getDefaultInstance());

  /** Reads a message. */
  static MultiMessage parse(byte[] message) throws InvalidProtocolBufferException {
    Optional<List<PutGroup>> puts = PutGroupReader.read(message);
    return puts.isPresent() ? new Puts(puts.get()) : new Actions(ACTIONS.parse(message));
  }
}
