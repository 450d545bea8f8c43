package dev.cairn.server.regionserver.quota;

import dev.cairn.server.catalog.QuotaContents;
import dev.cairn.server.catalog.QuotaReader;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.quota.ThrottleRefresh.QuotaSource;
import dev.cairn.server.rpc.client.RpcCaller;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Reads {@code hbase:quota} with calls to the servers that host its regions. Thread-safe. */
public final class RpcQuotaSource implements QuotaSource {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final RpcCaller client;
  private final QuotaReader reader;

  /**
   * Creates it.
   *
   * @param meta returns the server of {@code hbase:meta}, if known
   */
  public RpcQuotaSource(RpcCaller client, Supplier<Optional<ServerName>> meta) {
    this.client = client;
    this.reader = new QuotaReader(meta, this::call);
  }

  @Override
  public QuotaContents read() throws IOException {
    return reader.read();
  }

  private <R extends Message> R call(
      ServerName server, String method, Message request, R responsePrototype) throws IOException {
    return client.call(
        server.address(), "ClientService", method, request, responsePrototype, TIMEOUT);
  }
}
