package dev.cairn.server.master.remote;

import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Calls other servers. Thread-safe; a call waits for its answer, but not forever. */
public interface ServerCalls {
  /** The timeout of most calls. */
  Duration TIMEOUT = Duration.ofSeconds(60);

  /** Calls a method of a service; waits {@link #TIMEOUT} at most. */
  default <R extends Message> R call(
      ServerName server, String service, String method, Message request, R responsePrototype)
      throws IOException {
    return call(server, service, method, request, responsePrototype, TIMEOUT);
  }

  /**
   * Calls a method of a service.
   *
   * @param timeout how long to wait at most
   * @throws dev.cairn.server.rpc.client.ConnectionRefusedException if no process listens at its
   *     address
   * @throws IOException with which the server answered, or because it could not be reached
   */
  <R extends Message> R call(
      ServerName server,
      String service,
      String method,
      Message request,
      R responsePrototype,
      Duration timeout)
      throws IOException;

  /** Ends the connections to {@code server}: its unanswered calls fail at once. */
  void hangUp(ServerName server);

  /**
   * Tells {@code listener} the host and the port, as {@link ServerName#hostAndPort}, of each server
   * whose connection breaks. The listener must not block.
   */
  void whenBroken(Consumer<String> listener);
}
