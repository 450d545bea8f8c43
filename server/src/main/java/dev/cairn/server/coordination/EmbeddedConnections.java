package dev.cairn.server.coordination;

import java.io.IOException;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ZooKeeperServer;

/** The port and the connections of an embedded ZooKeeper. */
final class EmbeddedConnections extends NIOServerCnxnFactory {
  /**
   * Starts the server, and only then takes connections. The other way round, as {@link #startup}
   * has it, a client that comes in between is sent away, and waits for seconds before it comes
   * back.
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
