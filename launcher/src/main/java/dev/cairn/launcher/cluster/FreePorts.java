package dev.cairn.launcher.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Finds ports on which no process listens. Returns each port once. For one thread. */
public final class FreePorts {
  /** Below the ephemeral ports, which outgoing connections use. */
  private static final int PORT_MIN = 15_000;

  private static final int PORT_MAX = 32_000;

  private final SplittableRandom random = new SplittableRandom();
  private final Set<Integer> taken = new HashSet<>();

  /** Returns {@code count} free ports. */
  public List<Integer> take(int count) {
    List<Integer> ports = new ArrayList<>();
    while (ports.size() < count) {
      int port = random.nextInt(PORT_MIN, PORT_MAX);
      if (taken.add(port) && isFree(port)) {
        ports.add(port);
      }
    }
    return ports;
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
