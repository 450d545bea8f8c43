package dev.cairn.coprocessor.facade;

import com.google.protobuf.Service;
import dev.cairn.coprocessor.environment.ServerEnvironment;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.master.MasterServices;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The services of a master for its coprocessors, with the endpoints that they register. {@code
 * abort} does not end the master: it fails by name, and the reason is logged. Thread-safe.
 */
public final class ServicesOfMaster implements InvocationHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ServicesOfMaster.class);

  private final ServerEnvironment environment;
  private final ServerName name;
  private final RegisteredServices services = new RegisteredServices("the master");

  /** Creates the services of the master with this name. */
  public ServicesOfMaster(
      ServerEnvironment environment, dev.cairn.server.catalog.ServerName master) {
    this.environment = environment;
    this.name = ServerName.valueOf(master.host(), master.port(), master.startCode());
  }

  /** Returns the services as HBase's interface. */
  public MasterServices view() {
    return (MasterServices)
        Proxy.newProxyInstance(
            ServicesOfMaster.class.getClassLoader(), new Class<?>[] {MasterServices.class}, this);
  }

  /** Returns the endpoint of a name, if one is registered. */
  public Optional<Service> service(String name) {
    return services.find(name);
  }

  /** Returns an action that removes the endpoints that are registered after this call. */
  public Runnable savepoint() {
    return services.savepoint();
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    return switch (method.getName()) {
      case "getConfiguration" -> environment.settings();
      case "getServerName" -> name;
      case "getConnection" -> environment.connections().shared();
      case "createConnection" -> environment.connections().create((Configuration) arguments[0]);
      case "registerService" -> services.register((Service) arguments[0]);
      case "isActiveMaster", "isInitialized" -> true;
      case "isAborted", "isStopped", "isStopping", "isInMaintenanceMode" -> false;
      case "isClusterUp" -> true;
      case "abort" -> {
        LOG.error(
            "A coprocessor asks to end the master, which goes on: {}",
            arguments[0],
            arguments.length > 1 ? (Throwable) arguments[1] : null);
        throw new UnsupportedOperationException(
            "Cairn does not end a master for a coprocessor, which asks for it: " + arguments[0]);
      }
      case "equals" -> proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      case "toString" -> name.toString();
      default ->
          throw new UnsupportedOperationException(
              "MasterServices." + method.getName() + " is not served by Cairn");
    };
  }
}
