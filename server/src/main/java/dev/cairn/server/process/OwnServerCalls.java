package dev.cairn.server.process;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.remote.ServerCalls;
import dev.cairn.server.rpc.client.RpcCaller;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * The master's calls to region servers.
 *
 * @param client makes the calls
 */
record OwnServerCalls(RpcCaller client) implements ServerCalls {
  @Override
  public <R extends Message> R call(
      ServerName server,
      String service,
      String method,
      Message request,
      R responsePrototype,
      Duration timeout)
      throws IOException {
    return life(server)
        .call(server.address(), service, method, request, responsePrototype, timeout);
  }

  @Override
  public void hangUp(ServerName server) {
    life(server).hangUp(server.address());
  }

  private RpcCaller life(ServerName server) {
    return client.ofLife(server.startCode());
  }

  @Override
  public void whenBroken(Consumer<String> listener) {
    client.whenBroken(server -> listener.accept(server.getHostString() + ":" + server.getPort()));
  }
}
