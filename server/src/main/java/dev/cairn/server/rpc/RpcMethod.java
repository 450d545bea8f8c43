package dev.cairn.server.rpc;

import java.io.IOException;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * One method of a service.
 *
 * @param name the name in the protobuf service, for example {@code Get}
 * @param requestPrototype the default instance of the request message, which parses requests
 * @param handler answers; called on a handler thread, so it may block
 * @param quick answers at once what needs no waiting, if there is such a thing
 */
public record RpcMethod<Q extends Message, R extends Message>(
    String name, Q requestPrototype, Handler<Q, R> handler, Optional<Quick<Q, R>> quick) {

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

  /**
   * Answers those calls of one method that take microseconds, on the connection's network thread:
   * handing such a call to another thread costs more than answering it.
   */
  @FunctionalInterface
  public interface Quick<Q extends Message, R extends Message> {
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
