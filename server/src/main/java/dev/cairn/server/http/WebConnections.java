package dev.cairn.server.http;

import io.netty.channel.Channel;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Limits the open connections of one web server. Above the limit, it closes the connection that has
 * waited longest for a request. So a client that opens connections and sends nothing cannot keep
 * others out. Confined to the network thread.
 */
final class WebConnections {
  private final int max;
  private final Set<Channel> waiting = new LinkedHashSet<>(); // longest first
  private int open;

  WebConnections(int max) {
    this.max = max;
  }

  /** Adds a connection that waits for its first request. */
  void opened(Channel channel) {
    open++;
    waiting.add(channel);
    if (open > max) {
      Channel longest = waiting.iterator().next(); // at least the new one
      waiting.remove(longest);
      longest.close();
    }
  }

  /** Records that a request of the connection has arrived. */
  void received(Channel channel) {
    waiting.remove(channel);
  }

  /** Records that the connection waits for its next request. */
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
