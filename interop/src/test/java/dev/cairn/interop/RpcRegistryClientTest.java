package dev.cairn.interop;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/** HBase's client without ZooKeeper: it asks the servers themselves, as clients of version 3 do. */
class RpcRegistryClientTest extends ClientContract {
  private CairnServer server;

  @Override
  Configuration startServer() throws IOException {
    server = CairnServer.start();
    return server.configurationWithoutZooKeeper();
  }

  @Override
  void stopServer() throws IOException {
    server.close();
  }
}
