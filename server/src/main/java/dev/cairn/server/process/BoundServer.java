package dev.cairn.server.process;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.AddressException;
import dev.cairn.server.config.AdvertisedHost;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.HostNames;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.metrics.MetricKeys;
import dev.cairn.server.rpc.CallTimers;
import dev.cairn.server.rpc.RpcServer;
import dev.cairn.server.rpc.RpcServerOptions;
import dev.cairn.server.slowlog.SlowLog;
import dev.cairn.server.slowlog.SlowLogSettings;
import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import java.util.Collection;

/**
 * Has the bound port of a server.
 *
 * @param name the name that others connect to
 * @param rpc accepts connections once it is started
 */
record BoundServer(ServerRole role, ServerName name, RpcServer rpc) {
  private static final int SCANNERS_BITS = 20;
  private static final Duration LOOKUP_PATIENCE = Duration.ofSeconds(1);
  private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(5);

  /**
   * Binds a port and finds the name that others connect to.
   *
   * @param address where to listen
   * @param addressKey the key of {@code address}
   * @throws AddressException if the port is taken, or the server cannot connect to itself
   */
  static BoundServer bind(
      Host host,
      ServerRole role,
      String address,
      ConfigKey<String> addressKey,
      ConfigKey<Integer> port)
      throws IOException {
    SlowLog slowLog =
        new SlowLog(
            hbaseClass(role), host.live().derive(SlowLogSettings::of), host.threads().background());
    host.live().afterReload(slowLog::trim);
    RpcServer rpc;
    try {
      rpc =
          RpcServer.bind(
              options(host.config(), role, address, host.config().get(port)),
              host.threads().loops(),
              ServerThreads.named("cairn-handler"),
              host.clock(),
              host.engine().memory(),
              slowLog);
    } catch (BindException e) {
      throw new AddressException(
          e.getMessage() + "; see " + addressKey.name() + " and " + port.name(), e);
    }
    host.shutdown().then("RPC server", rpc::close);
    if (host.config().get(MetricKeys.HISTOGRAMS)) {
      rpc.record(new CallTimers.Recording());
    }
    host.tracing().ifPresent(rpc::trace);
    AdvertisedHost advertised =
        new AdvertisedHost(HostNames.system(), host.threads().background(), LOOKUP_PATIENCE);
    ServerName name =
        new ServerName(
            advertised.find(host.config(), role, rpc.address().getAddress()),
            rpc.address().getPort(),
            host.clock().currentTimeMillis());
    new OwnAddressCheck(host.threads().background(), CONNECT_PATIENCE).check(name);
    return new BoundServer(role, name, rpc);
  }

  /**
   * Returns the same server with a start code above those of its earlier lives among {@code known}.
   * The clock may have been set back since.
   */
  BoundServer startedAfter(Collection<ServerName> known) {
    long latest =
        known.stream()
            .filter(name::sameAddress)
            .mapToLong(ServerName::startCode)
            .max()
            .orElse(Long.MIN_VALUE);
    return latest < name.startCode()
        ? this
        : new BoundServer(role, new ServerName(name.host(), name.port(), latest + 1), rpc);
  }

  /**
   * Returns where the ids of scanners begin: above those of earlier lives, so that a client's
   * scanner of an earlier life is unknown in this one. No server opens 2^20 scanners in a
   * millisecond.
   */
  long firstScannerId() {
    return name.startCode() << SCANNERS_BITS;
  }

  /** Returns the options of a server. Only a region server divides its queues. */
  private static RpcServerOptions options(
      SiteConfig config, ServerRole role, String address, int port) {
    RpcServerOptions options = RpcServerOptions.from(config, address, port);
    return role == ServerRole.REGION_SERVER ? options : options.undivided();
  }

  /** Returns the name of HBase's class for a server of that role. */
  private static String hbaseClass(ServerRole role) {
    return switch (role) {
      case MASTER -> "HMaster";
      case REGION_SERVER -> "HRegionServer";
    };
  }
}
