package dev.cairn.coprocessor.facade;

import com.google.protobuf.Service;
import dev.cairn.coprocessor.environment.ServerEnvironment;
import dev.cairn.server.hook.RegionHost;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The services of a region server for the coprocessors of the server, or of one region. {@code
 * abort} does not end the server: it fails by name, and the reason is logged. Thread-safe.
 */
public final class ServicesOfServer implements InvocationHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ServicesOfServer.class);
  private static final FreeQuotas QUOTAS = FreeQuotas.quotas();

  private final ServerEnvironment environment;
  private final RegionHost host;
  private final OpenRegions open;
  private final ServerName name;
  private final String owner;

  /** The registered services by name; empty for those of a region, which registers its own. */
  private final Optional<RegisteredServices> services;

  private ServicesOfServer(
      ServerEnvironment environment,
      RegionHost host,
      OpenRegions open,
      String owner,
      Optional<RegisteredServices> services) {
    this.environment = environment;
    this.host = host;
    this.open = open;
    this.owner = owner;
    this.services = services;
    this.name =
        ServerName.valueOf(host.server().host(), host.server().port(), host.server().startCode());
  }

  /**
   * Returns the services for the coprocessors of a region.
   *
   * @param region the region's name, for the log
   */
  public static ServicesOfServer ofRegion(
      ServerEnvironment environment, RegionHost host, OpenRegions open, String region) {
    return new ServicesOfServer(environment, host, open, region, Optional.empty());
  }

  /**
   * Returns the services for the coprocessors of the server, which may register services.
   *
   * @param owner names them in the log
   */
  public static ServicesOfServer ofServer(
      ServerEnvironment environment, RegionHost host, OpenRegions open, String owner) {
    return new ServicesOfServer(
        environment, host, open, owner, Optional.of(new RegisteredServices(owner)));
  }

  /** Returns the services as HBase's interface. */
  public RegionServerServices view() {
    return (RegionServerServices)
        Proxy.newProxyInstance(
            ServicesOfServer.class.getClassLoader(),
            new Class<?>[] {RegionServerServices.class},
            this);
  }

  /** Returns an action that removes the services that are registered after this call. */
  public Runnable savepoint() {
    return services.map(RegisteredServices::savepoint).orElse(() -> {});
  }

  /** Returns a registered service. */
  public Optional<Service> service(String service) {
    return services.flatMap(all -> all.find(service));
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    return switch (method.getName()) {
      case "getConfiguration" -> environment.settings();
      case "getServerName" -> name;
      case "getConnection" -> environment.connections(host).shared();
      case "createConnection" -> environment.connections(host).create((Configuration) arguments[0]);
      case "getRegionServerRpcQuotaManager" -> QUOTAS;
      case "isAborted", "isStopped", "isStopping" -> false;
      case "isClusterUp" -> true;
      case "registerService" ->
          services.orElseThrow(() -> unserved("registerService")).register((Service) arguments[0]);
      case "getRegion" ->
          regions(region -> region.encodedName().equals(arguments[0])).stream()
              .findFirst()
              .orElse(null);
      case "getRegions" ->
          regions(
              region ->
                  arguments == null
                      || region
                          .info()
                          .table()
                          .toString()
                          .equals(((TableName) arguments[0]).getNameAsString()));
      case "abort" -> {
        LOG.error(
            "A coprocessor of {} asks to end the server, which goes on: {}",
            owner,
            arguments[0],
            arguments.length > 1 ? (Throwable) arguments[1] : null);
        throw new UnsupportedOperationException(
            "Cairn does not end a server for a coprocessor, which asks for it: " + arguments[0]);
      }
      case "equals" -> proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      case "toString" -> name.toString();
      default -> throw unserved(method.getName());
    };
  }

  private static UnsupportedOperationException unserved(String method) {
    return new UnsupportedOperationException(
        "RegionServerServices." + method + " is not served by Cairn");
  }

  private List<RegionFacade> regions(Predicate<HostedRegion> wanted) {
    return host.online().get().stream().filter(wanted).map(this::facade).toList();
  }

  /** Returns a region; one without coprocessors can be read, and not written. */
  private RegionFacade facade(HostedRegion region) {
    return open.find(region.encodedName())
        .orElseGet(
            () -> {
              try {
                RegionFacade facade =
                    RegionFacade.of(
                        region.info(),
                        region.schema(),
                        host.filters(),
                        environment.settings(),
                        new StoragePaths(
                            host.storage(), host.dataDirectory(), environment::reading),
                        host.clock());
                facade.opened(region);
                facade.opened(
                    new Reader(region.reads(0), facade.queries(), facade, null, Set.of()));
                return facade;
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }
}
