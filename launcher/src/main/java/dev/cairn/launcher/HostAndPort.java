package dev.cairn.launcher;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Writes hosts and ports as URLs have them: an address of IPv6 in brackets. */
final class HostAndPort {
  private HostAndPort() {}

  /** Returns {@code host:port}, or {@code [host]:port} of an address of IPv6. */
  static String text(String host, int port) {
    boolean bare = host.indexOf(':') >= 0 && !host.startsWith("[");
    return (bare ? "[" + host + "]" : host) + ":" + port;
  }

  /** Returns where a process on this machine reaches what listens on {@code address}. */
  static String onThisMachine(InetSocketAddress address) {
    InetAddress listening = address.getAddress();
    InetAddress reached =
        listening.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : listening;
    return text(reached.getHostAddress(), address.getPort());
  }
}
