package dev.cairn.server.rpc;

import java.io.IOException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * One method of a service.
 *
 * @param name the name in the protobuf service, for example {@code Get}
 * @param requestPrototype the default instance of the request message, which parses requests
 * @param handler answers; called on a handler thread, so it may block
 */
public record RpcMethod<Q extends Message, R extends Message>(
    String name, Q requestPrototype, Handler<Q, R> handler) {

  /** Answers calls of one method. */
  @FunctionalInterface
  public interface Handler<Q extends Message, R extends Message> {
    /**
     * Answers one call.
     *
     * @throws IOException sent to the caller under its class name, so it is one that HBase's
     *     clients know
     */
    R handle(RpcCall call, Q request) throws IOException;
  }
}
