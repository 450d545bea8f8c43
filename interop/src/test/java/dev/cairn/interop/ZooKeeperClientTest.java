package dev.cairn.interop;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/** HBase's client as it comes: it finds the servers through ZooKeeper. */
class ZooKeeperClientTest extends ClientContract {
  private CairnServer server;

  @Override
  Configuration startServer() throws IOException {
    server = CairnServer.start();
    return server.configuration();
  }

  @Override
  void stopServer() throws IOException {
    server.close();
  }
}
