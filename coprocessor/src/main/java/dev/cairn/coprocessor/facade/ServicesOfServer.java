package dev.cairn.coprocessor.facade;

import dev.cairn.coprocessor.environment.ServerEnvironment;
import dev.cairn.server.hook.RegionHost;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.quotas.FreeQuotas;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;

/**
 * The services of a region server for the coprocessors of one region. {@code abort} does not end
 * the server; it records the first reason. Thread-safe.
 */
public final class ServicesOfServer implements InvocationHandler {
  private static final FreeQuotas QUOTAS = Allocation.of(FreeQuotas.class);

  private final ServerEnvironment environment;
  private final ServerName name;
  private final AtomicReference<Failure> failure = new AtomicReference<>();

  /**
   * A request to end the server.
   *
   * @param cause may be null
   */
  public record Failure(String reason, Throwable cause) {}

  /** Creates the services. */
  public ServicesOfServer(ServerEnvironment environment, RegionHost host) {
    this.environment = environment;
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

  /** Returns the first request to end the server. */
  public Optional<Failure> failure() {
    return Optional.ofNullable(failure.get());
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
        failure.compareAndSet(
            null,
            new Failure(
                String.valueOf(arguments[0]),
                arguments.length > 1 ? (Throwable) arguments[1] : null));
        yield null;
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
