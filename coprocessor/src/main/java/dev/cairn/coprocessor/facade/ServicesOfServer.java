package dev.cairn.coprocessor.facade;

import dev.cairn.coprocessor.environment.ServerEnvironment;
import dev.cairn.server.hook.RegionHost;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The services of a region server for the coprocessors of one region. {@code abort} does not end
 * the server: it fails by name, and the reason is logged. Thread-safe.
 */
public final class ServicesOfServer implements InvocationHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ServicesOfServer.class);
  private static final FreeQuotas QUOTAS = FreeQuotas.quotas();

  private final ServerEnvironment environment;
  private final ServerName name;
  private final String region;

  /**
   * Creates the services.
   *
   * @param region the region's name, for the log
   */
  public ServicesOfServer(ServerEnvironment environment, RegionHost host, String region) {
    this.environment = environment;
    this.region = region;
    this.name =
        ServerName.valueOf(host.server().host(), host.server().port(), host.server().startCode());
  }

  /** Returns the services as HBase's interface. */
  public RegionServerServices view() {
    return (RegionServerServices)
        Proxy.newProxyInstance(
            ServicesOfServer.class.getClassLoader(),
            new Class<?>[] {RegionServerServices.class},
            this);
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    return switch (method.getName()) {
      case "getConfiguration" -> environment.settings();
      case "getServerName" -> name;
      case "getConnection" -> environment.connection();
      case "createConnection" -> ConnectionFactory.createConnection((Configuration) arguments[0]);
      case "getRegionServerRpcQuotaManager" -> QUOTAS;
      case "isAborted", "isStopped", "isStopping" -> false;
      case "isClusterUp" -> true;
      case "abort" -> {
        LOG.error(
            "A coprocessor of {} asks to end the server, which goes on: {}",
            region,
            arguments[0],
            arguments.length > 1 ? (Throwable) arguments[1] : null);
        throw new UnsupportedOperationException(
            "Cairn does not end a server for a coprocessor, which asks for it: " + arguments[0]);
      }
      case "equals" -> proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      case "toString" -> name.toString();
      default ->
          throw new UnsupportedOperationException(
              "RegionServerServices." + method.getName() + " is not served by Cairn");
    };
  }
}
