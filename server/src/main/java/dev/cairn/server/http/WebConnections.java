package dev.cairn.server.http;

import io.netty.channel.Channel;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The open connections of one web server. When there are too many, the one closes that has kept the
 * server waiting longest for a request: whoever opens connections and sends nothing keeps nobody
 * else out. Owned by the network thread.
 */
final class WebConnections {
  private final int max;
  private final Set<Channel> waiting = new LinkedHashSet<>(); // longest first
  private int open;

  WebConnections(int max) {
    this.max = max;
  }

  /** Adds a connection, which is to be waited for. */
  void opened(Channel channel) {
    open++;
    waiting.add(channel);
    if (open > max) {
      Channel longest = waiting.iterator().next(); // the new one at least
      waiting.remove(longest);
      longest.close();
    }
  }

  /** A request of the connection has arrived. */
  void received(Channel channel) {
    waiting.remove(channel);
  }

  /** The connection's request is answered: the next one may come. */
  void answered(Channel channel) {
    if (channel.isActive()) {
      waiting.add(channel);
    }
  }

  void closed(Channel channel) {
    open--;
    waiting.remove(channel);
  }
}
