package dev.cairn.server.rpc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.SplittableRandom;

/** Ports for tests that have to know one before anybody listens on it. */
public final class FreePorts {
  private static final int LOWEST_PORT = 15_000;

  /** The first port of outgoing connections on Linux, by default. */
  private static final int LOWEST_EPHEMERAL_PORT = 32_768;

  private FreePorts() {}

  /** Returns a port that is free now and that nobody is given who asks for any port. */
  public static int find() {
    return new SplittableRandom()
        .ints(LOWEST_PORT, LOWEST_EPHEMERAL_PORT)
        .filter(FreePorts::canListen)
        .findFirst()
        .orElseThrow();
  }

  /** Tells whether nobody listens on a port of the loopback address. */
  public static synchronized boolean canListen(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
