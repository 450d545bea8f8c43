package dev.cairn.testing;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs a {@link CairnServer} for the tests of one class, with its data in memory, and one
 * connection to it.
 *
 * <pre>{@code
 * @RegisterExtension static final CairnExtension CAIRN = new CairnExtension();
 *
 * @Test
 * void test() throws IOException {
 *   try (Table table = CAIRN.connection().getTable(NAME)) { ... }
 * }
 * }</pre>
 */
public final class CairnExtension implements BeforeAllCallback, AfterAllCallback {
  private final CairnServer.Builder builder;
  private CairnServer server;
  private Connection connection;
  private Admin admin;

  /** Creates the extension for a server with default settings. */
  public CairnExtension() {
    this(CairnServer.builder());
  }

  /** Creates the extension for the server that {@code builder} describes. */
  public CairnExtension(CairnServer.Builder builder) {
    this.builder = builder;
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    server = builder.start();
    connection = server.connect();
    admin = connection.getAdmin();
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    try (CairnServer lastClosed = server;
        Connection closedBefore = connection) {
      if (admin != null) {
        admin.close();
      }
    }
  }

  /** Returns the server; only while the tests of the class run. */
  public CairnServer server() {
    return server;
  }

  /** Returns the configuration of a client of the server. */
  public Configuration configuration() {
    return server.configuration();
  }

  /** Returns the connection that all tests of the class share; they don't close it. */
  public Connection connection() {
    return connection;
  }

  /** Returns the admin of {@link #connection}. Tests must not close it. */
  public Admin admin() {
    return admin;
  }
}
