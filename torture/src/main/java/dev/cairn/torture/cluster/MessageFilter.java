package dev.cairn.torture.cluster;

import dev.cairn.server.rpc.client.RpcCaller;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Changes what a process sends and receives, to disable a {@link Guard}. */
interface MessageFilter {
  /** Changes nothing. */
  MessageFilter NONE = new MessageFilter() {};

  /** Returns the message that the process sends instead of {@code message}. */
  default Message sent(Message message) {
    return message;
  }

  /** Returns the request that the process receives instead of {@code request}. */
  default byte[] received(String method, byte[] request) {
    return request;
  }

  /** Returns {@code caller} with filtered requests. */
  default RpcCaller around(RpcCaller caller) {
    return new RpcCaller() {
      @Override
      public <R extends Message> R call(
          InetSocketAddress server,
          String service,
          String method,
          Message request,
          R responsePrototype,
          Duration timeout)
          throws IOException {
        return caller.call(server, service, method, sent(request), responsePrototype, timeout);
      }

      @Override
      public void hangUp(InetSocketAddress server) {
        caller.hangUp(server);
      }

      @Override
      public RpcCaller ofLife(long startCode) {
        return around(caller.ofLife(startCode));
      }

      @Override
      public void whenBroken(Consumer<InetSocketAddress> listener) {
        caller.whenBroken(listener);
      }
    };
  }
}
