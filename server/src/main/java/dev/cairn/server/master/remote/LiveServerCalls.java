package dev.cairn.server.master.remote;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.rpc.client.ConnectionRefusedException;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Calls servers until they are given up. Then open calls and new ones fail at once, so nothing
 * waits any longer for a server that hangs. Thread-safe.
 */
public final class LiveServerCalls implements ServerCalls {
  private final ServerCalls calls;
  private final Consumer<ServerName> refused;
  private final Set<ServerName> givenUp = ConcurrentHashMap.newKeySet();

  /**
   * Creates calls without servers that are given up.
   *
   * @param refused receives each server whose host refused a connection; must not block
   */
  public LiveServerCalls(ServerCalls calls, Consumer<ServerName> refused) {
    this.calls = calls;
    this.refused = refused;
  }

  @Override
  public <R extends Message> R call(
      ServerName server,
      String service,
      String method,
      Message request,
      R responsePrototype,
      Duration timeout)
      throws IOException {
    if (givenUp.contains(server)) {
      throw new ConnectException(server + " is given up");
    }
    try {
      return calls.call(server, service, method, request, responsePrototype, timeout);
    } catch (ConnectionRefusedException e) {
      refused.accept(server);
      throw e;
    }
  }

  /** Fails all calls of {@code server}, open ones and later ones. */
  public void giveUp(ServerName server) {
    givenUp.add(server);
    calls.hangUp(server);
  }

  @Override
  public void hangUp(ServerName server) {
    calls.hangUp(server);
  }

  @Override
  public void whenBroken(Consumer<String> listener) {
    calls.whenBroken(listener);
  }
}
