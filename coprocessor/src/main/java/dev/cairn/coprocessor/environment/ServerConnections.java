package dev.cairn.coprocessor.environment;

import dev.cairn.server.hook.RegionHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.ServerConnectionUtils;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.AdminService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of coprocessors to their cluster. Those of a region server call the server itself
 * without the network, and on the calling thread, as in HBase. Thread-safe.
 */
public final class ServerConnections implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServerConnections.class);

  private final Supplier<Configuration> settings;
  private final Optional<RegionHost> own;
  private Connection shared; // null until it is asked for
  private boolean closed;

  /**
   * Creates it without connections.
   *
   * @param settings returns the settings of the site
   * @param own the region server whose coprocessors connect; empty for those of the master
   */
  ServerConnections(Supplier<Configuration> settings, Optional<RegionHost> own) {
    this.settings = settings;
    this.own = own;
  }

  /**
   * Returns the connection that all coprocessors of the server share. They get it where they cannot
   * close it.
   */
  public synchronized Connection shared() {
    if (closed) {
      throw new IllegalStateException("the server has stopped");
    }
    if (shared == null) {
      try {
        shared = create(HBaseConfiguration.create(settings.get()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return shared;
  }

  /** Returns a new connection with the given settings, which the caller closes. */
  public Connection create(Configuration with) throws IOException {
    if (own.isEmpty()) {
      return ConnectionFactory.createConnection(with);
    }
    RegionHost server = own.get();
    LocalChannel channel = new LocalChannel(server.calls());
    return ServerConnectionUtils.createShortCircuitConnection(
        with,
        null,
        ServerName.valueOf(
            server.server().host(), server.server().port(), server.server().startCode()),
        AdminService.newBlockingStub(channel),
        ClientService.newBlockingStub(channel),
        null);
  }

  /** Closes the shared connection. */
  @Override
  public synchronized void close() {
    closed = true;
    if (shared != null) {
      try {
        shared.close();
      } catch (IOException e) {
        LOG.info("The connection of coprocessors could not be closed: {}", e.toString());
      }
      shared = null;
    }
  }
}
