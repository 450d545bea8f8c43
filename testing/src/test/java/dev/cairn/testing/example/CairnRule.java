package dev.cairn.testing.example;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.rules.ExternalResource;

// example: JUnit 4, the rule
public final class CairnRule extends ExternalResource {
  private CairnServer server;
  private Connection connection;

  @Override
  protected void before() throws IOException {
    server = CairnServer.start();
    connection = server.connect();
  }

  @Override
  protected void after() {
    try (CairnServer lastClosed = server) {
      connection.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the connection that all tests of the class share. */
  public Connection connection() {
    return connection;
  }
}
// end
