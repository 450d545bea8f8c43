package dev.cairn.server.coordination;

import java.io.IOException;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ZooKeeperServer;

/** The port and the connections of an embedded ZooKeeper. */
final class EmbeddedConnections extends NIOServerCnxnFactory {
  /**
   * Starts the server, and only then accepts connections. {@link #startup} accepts them first. A
   * client that connected in between would be refused, and wait for seconds before it tries again.
   */
  void serve(ZooKeeperServer server) throws IOException, InterruptedException {
    setZooKeeperServer(server);
    try {
      server.startdata();
    } catch (IOException | RuntimeException e) {
      throw new UnreadableFolderException(e);
    }
    server.startup();
    start();
  }

  @Override
  public void registerConnection(ServerCnxn connection) {}

  @Override
  public void unregisterConnection(ServerCnxn connection) {}
}
