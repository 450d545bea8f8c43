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
 * @param name the name in the protobuf service, for example {@code Get}
 * @param parser reads request messages
 * @param handler answers; called on a handler thread, so it may block
 * @param quick answers at once what needs no waiting, if there is such a thing
 * @param body returns how a response is sent
 */
public record RpcMethod<Q, R>(
    String name,
    Parser<Q> parser,
    Handler<Q, R> handler,
    Optional<Quick<Q, R>> quick,
    Function<R, ResponseBody> body) {

  /** Returns a method whose responses are messages of protobuf's. */
  public static <Q, R extends Message> RpcMethod<Q, R> of(
      String name, Parser<Q> parser, Handler<Q, R> handler, Optional<Quick<Q, R>> quick) {
    return new RpcMethod<>(name, parser, handler, quick, ResponseBody::of);
  }

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
   * Answers those calls of one method that take microseconds, on the connection's network thread:
   * handing such a call to another thread costs more than answering it.
   */
  @FunctionalInterface
  public interface Quick<Q, R> {
    /**
     * Answers one call, or declines it. It must not wait for anything: no file is read, no lock
     * taken that is held over input and output or by a thread that waits, nobody's progress waited
     * for. A call that is declined goes to the handlers, with the same request, and must have left
     * no trace; of one that is begun they do the rest. Not every call is tried: not the long ones,
     * nor those of a connection that is slow to take its responses, nor more of them at once than
     * {@link QuickBudget} allows.
     *
     * @throws IOException the call's answer, as if a handler had thrown it
     */
    Attempt<R> attempt(RpcCall call, Q request) throws IOException;
  }
}
