package dev.cairn.server.rpc.service;

import dev.cairn.server.rpc.service.RpcService.CallErrors;
import dev.cairn.server.rpc.wire.ResponseBody;
import java.io.IOException;
import java.util.List;
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
 * @param subject reads the subject of a call
 * @param checks the interceptors' checks, the first outermost
 * @param handler answers calls
 * @param backoff decides which calls to skip on network threads because network threads did not
 *     finish earlier ones; empty to try all calls
 * @param body encodes a response
 * @param answers decides whether the response may be sent
 * @param errors translates failures of checks and method for the client; empty if they need no
 *     translation
 */
public record RpcMethod<Q, R>(
    MethodPolicy policy,
    Parser<Q> parser,
    CallSubject.Reader<Q> subject,
    List<CallCheck<Q>> checks,
    Handler<Q, R> handler,
    Optional<InlineBackoff<Q>> backoff,
    Function<R, ResponseBody> body,
    AnswerCheck answers,
    Optional<CallErrors> errors) {

  /**
   * Reads the request messages of one method, in protobuf's own form or in one that costs less. Any
   * number of threads.
   */
  @FunctionalInterface
  public interface Parser<Q> {
    /**
     * Reads a message.
     *
     * @param message the whole message; the array is never changed again, so the result may refer
     *     to it
     * @throws InvalidProtocolBufferException if the bytes are not such a message
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

  /** Answers calls of one method. Any number of threads. */
  @FunctionalInterface
  public interface Handler<Q, R> {
    /**
     * Answers one call as far as its {@link RpcCall#budget} allows. With the budget of a network
     * thread it may leave the call unfinished; an unfinished call has no effect except its
     * continuation. A handler thread then gets the continuation or the same request.
     *
     * @throws IOException sent to the caller under its class name, so it is one that HBase's
     *     clients know
     */
    CallOutcome<R> handle(RpcCall call, Q request) throws IOException;
  }

  /** Answers calls of one method on handler threads alone, so it may block. */
  @FunctionalInterface
  public interface BlockingHandler<Q, R> {
    /**
     * Answers one call.
     *
     * @throws IOException as {@link Handler#handle} does
     */
    R handle(RpcCall call, Q request) throws IOException;
  }

  /** Returns a handler that declines the calls of network threads. */
  public static <Q, R> Handler<Q, R> blocking(BlockingHandler<Q, R> handler) {
    return (call, request) ->
        call.budget().mayWait()
            ? new CallOutcome.Answered<>(handler.handle(call, request))
            : CallOutcome.declined();
  }
}
