package dev.cairn.server.rpc.client;

import dev.cairn.server.rpc.wire.RpcRemoteException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Calls methods of servers: {@link RpcClient} over TCP, a simulation without it. Thread-safe. */
public interface RpcCaller {
  /**
   * Calls a method and waits for the answer.
   *
   * @param server the host, by name or address, and the port
   * @param timeout how long to wait at most, connecting included
   * @throws IOException the exception that the server answered with, of its own class if that is
   *     known here, else a {@link RpcRemoteException}; {@link ConnectionRefusedException} if nobody
   *     listens; another {@link java.net.ConnectException} if no connection could be made; {@code
   *     CallTimeoutException} if the time is over; {@code ConnectionClosedException} if the
   *     connection broke, so that nobody knows whether the call was carried out
   */
  <R extends Message> R call(
      InetSocketAddress server,
      String service,
      String method,
      Message request,
      R responsePrototype,
      Duration timeout)
      throws IOException;

  /** Ends the connections of this caller to a server: its pending calls fail at once. */
  void hangUp(InetSocketAddress server);

  /**
   * Returns a caller with connections of its own for one life of a server. Its {@link #hangUp} does
   * not end the calls of a later life at the same address.
   *
   * @param startCode distinguishes the lives at one address
   */
  RpcCaller ofLife(long startCode);

  /**
   * Tells {@code listener} whenever a connection is ended by its other side or by the network. The
   * listener must not block.
   */
  void whenBroken(Consumer<InetSocketAddress> listener);
}
