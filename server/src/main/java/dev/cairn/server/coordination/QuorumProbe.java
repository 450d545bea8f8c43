package dev.cairn.server.coordination;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.stream.Collectors;
import org.apache.zookeeper.client.ConnectStringParser;

/** Explains why no server of a quorum answers: ZooKeeper's client tries again without a reason. */
final class QuorumProbe {
  private static final int TIMEOUT_MILLIS = 1_000;

  private QuorumProbe() {}

  /**
   * Opens a connection to each server, one after the other, and closes it. Blocks for up to a
   * second per server, and for the look-up of its name.
   *
   * @param quorum {@code host:port,host:port}
   * @return the servers with their answers, one line
   */
  static String explain(String quorum) {
    return new ConnectStringParser(quorum)
        .getServerAddresses().stream()
            .map(server -> server.getHostString() + ":" + server.getPort() + " " + explain(server))
            .collect(Collectors.joining("; "));
  }

  private static String explain(InetSocketAddress server) {
    InetSocketAddress resolved = new InetSocketAddress(server.getHostString(), server.getPort());
    if (resolved.isUnresolved()) {
      return "has a host name that is unknown here";
    }
    try (Socket socket = new Socket()) {
      socket.connect(resolved, TIMEOUT_MILLIS);
      return "accepts connections, but does not answer as ZooKeeper";
    } catch (SocketTimeoutException e) {
      return "does not accept a connection within " + TIMEOUT_MILLIS + " ms";
    } catch (IOException e) {
      return "does not accept connections (" + e.getMessage() + ")";
    }
  }
}
