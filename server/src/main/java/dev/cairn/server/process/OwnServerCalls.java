package dev.cairn.server.process;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.remote.ServerCalls;
import dev.cairn.server.rpc.RpcClient;
import java.io.IOException;
import java.time.Duration;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * The master's calls to region servers.
 *
 * @param client makes the calls
 * @param timeout how long one may take
 */
record OwnServerCalls(RpcClient client, Duration timeout) implements ServerCalls {
  @Override
  public <R extends Message> R call(
      ServerName server, String service, String method, Message request, R responsePrototype)
      throws IOException {
    return client.call(server.address(), service, method, request, responsePrototype, timeout);
  }
}
