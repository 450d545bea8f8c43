package dev.cairn.launcher.process;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Formats hosts and ports for URLs, with IPv6 addresses in brackets. */
public final class HostAndPort {
  private HostAndPort() {}

  /** Returns {@code host:port}, or {@code [host]:port} for an IPv6 address. */
  public static String text(String host, int port) {
    boolean bare = host.indexOf(':') >= 0 && !host.startsWith("[");
    return (bare ? "[" + host + "]" : host) + ":" + port;
  }

  /** Returns the host and port at which this machine reaches a listener on {@code address}. */
  public static String onThisMachine(InetSocketAddress address) {
    InetAddress listening = address.getAddress();
    InetAddress reached =
        listening.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : listening;
    return text(reached.getHostAddress(), address.getPort());
  }
}
