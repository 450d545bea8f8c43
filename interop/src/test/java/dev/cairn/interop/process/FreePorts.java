package dev.cairn.interop.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Finds free ports for servers that restart on the same ports. */
public final class FreePorts {
  /** Below the ports that systems give to outgoing connections, which must not take ours. */
  private static final int PORT_MIN = 15_000;

  private static final int PORT_MAX = 32_000;

  private FreePorts() {}

  /** Returns ports that are free now and that no outgoing connection will be given. */
  public static List<Integer> find(int count) {
    SplittableRandom random = new SplittableRandom();
    List<Integer> ports = new ArrayList<>();
    while (ports.size() < count) {
      int port = random.nextInt(PORT_MIN, PORT_MAX);
      if (!ports.contains(port) && isFree(port)) {
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
