package dev.cairn.server.rpc;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * One method of a service.
 *
 * @param policy the method's entry in {@link MethodTables}
 * @param parser reads request messages
 * @param handler answers on a handler thread, so it may block
 * @param inline answers on the network thread the calls that need not block; empty if none do
 * @param body returns how a response is sent
 */
public record RpcMethod<Q, R>(
    MethodPolicy policy,
    Parser<Q> parser,
    Handler<Q, R> handler,
    Optional<InlineHandler<Q, R>> inline,
    Function<R, ResponseBody> body) {

  /**
   * Reads the request messages of one method, in protobuf's own form or in one that costs less. Any
   * number of threads.
   */
  @FunctionalInterface
  public interface Parser<Q> {
    /**
     * Reads a message.
     *
     * @param message the whole message; nobody changes the array any more, so what is returned may
     *     lie in it
     * @throws InvalidProtocolBufferException if the bytes are none
     */
    Q parse(byte[] message) throws InvalidProtocolBufferException;

    /** Returns protobuf's parser of messages like {@code prototype}. */
    @SuppressWarnings("unchecked") // a prototype's parser makes messages of its class
    static <Q extends Message> Parser<Q> of(Q prototype) {
      return message -> {
        CodedInputStream in = UnsafeByteOperations.unsafeWrap(message).newCodedInput();
        in.enableAliasing(true);
        Q request = (Q) prototype.getParserForType().parseFrom(in);
        in.checkLastTagWas(0);
        return request;
      };
    }
  }

  /** Answers calls of one method. */
  @FunctionalInterface
  public interface Handler<Q, R> {
    /**
     * Answers one call.
     *
     * @throws IOException sent to the caller under its class name, so it is one that HBase's
     *     clients know
     */
    R handle(RpcCall call, Q request) throws IOException;
  }

  /**
   * Answers the calls of one method that take microseconds on the connection's network thread: a
   * hand-over to another thread costs more than such a call.
   */
  @FunctionalInterface
  public interface InlineHandler<Q, R> {
    /**
     * Answers one call, or declines it. It must not block: it reads no file and takes no lock that
     * a thread holds over I/O. A declined call goes to the handlers with the same request, and must
     * have left no trace. {@code rpc} alone decides which calls are tried: only short requests, of
     * connections that take their responses, and only within the {@link EventLoopBudget}.
     *
     * @throws IOException the call's answer, as if a handler had thrown it
     */
    Attempt<R> attempt(RpcCall call, Q request) throws IOException;
  }
}
