package dev.cairn.coprocessor.facade;

import com.google.protobuf.Service;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The services that the coprocessors of one host have registered, by their names. Thread-safe. */
final class RegisteredServices {
  private static final Logger LOG = LoggerFactory.getLogger(RegisteredServices.class);

  private final String owner;
  private final Map<String, Service> services = new ConcurrentHashMap<>();

  /**
   * Creates it without services.
   *
   * @param owner names the host in the log
   */
  RegisteredServices(String owner) {
    this.owner = owner;
  }

  /**
   * Registers a service. As in HBase, the first one of a name stays.
   *
   * @return false if another one has its name
   */
  boolean register(Service service) {
    String name = CoprocessorRpcUtils.getServiceName(service.getDescriptorForType());
    boolean isNew = services.putIfAbsent(name, service) == null;
    if (!isNew) {
      LOG.error("Two coprocessors of {} have the service {}; the first one stays", owner, name);
    }
    return isNew;
  }

  Optional<Service> find(String name) {
    return Optional.ofNullable(services.get(name));
  }

  Set<String> names() {
    return Set.copyOf(services.keySet());
  }

  /** Returns an action that removes the services that are registered after this call. */
  Runnable savepoint() {
    Set<String> before = names();
    return () -> services.keySet().retainAll(before);
  }
}
