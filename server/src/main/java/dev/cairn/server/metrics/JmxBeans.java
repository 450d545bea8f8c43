package dev.cairn.server.metrics;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.RuntimeOperationsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a JMX bean for each record of a registry in a {@link MBeanServer}. Beans that another
 * process of the same JVM has registered stay as they are. Thread-safe.
 */
public final class JmxBeans implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JmxBeans.class);

  private final MetricRegistry registry;
  private final Supplier<MBeanServer> server;
  private final Map<String, ObjectName> registered = new HashMap<>(); // guarded by this
  private final Set<String> refused = new HashSet<>(); // guarded by this
  private boolean closed; // guarded by this

  /**
   * Creates it without beans.
   *
   * @param server returns where to register beans
   */
  public JmxBeans(MetricRegistry registry, Supplier<MBeanServer> server) {
    this.registry = registry;
    this.server = server;
  }

  /** Registers the beans of new records, and unregisters those of records that are gone. */
  public synchronized void refresh() {
    if (closed) {
      return;
    }
    Set<String> gone = new HashSet<>(registered.keySet());
    for (RecordName name : registry.names().values()) {
      gone.remove(name.bean());
      if (!registered.containsKey(name.bean()) && !refused.contains(name.bean())) {
        register(name);
      }
    }
    gone.forEach(this::unregister);
  }

  private void register(RecordName name) {
    try {
      ObjectName bean = new ObjectName(name.bean());
      server.get().registerMBean(new RecordBean(registry, name), bean);
      registered.put(name.bean(), bean);
    } catch (InstanceAlreadyExistsException e) {
      LOG.debug("The bean {} is that of another server in this JVM", name.bean());
    } catch (JMException | RuntimeOperationsException e) { // a coprocessor may choose any name
      refused.add(name.bean());
      LOG.warn("Cannot register the bean {}", name.bean(), e);
    }
  }

  private void unregister(String name) {
    try {
      server.get().unregisterMBean(registered.remove(name));
    } catch (InstanceNotFoundException e) {
      LOG.debug("The bean {} is gone already", name);
    } catch (JMException e) {
      LOG.warn("Cannot unregister the bean {}", name, e);
    }
  }

  /** Unregisters the beans. */
  @Override
  public synchronized void close() {
    closed = true;
    Set.copyOf(registered.keySet()).forEach(this::unregister);
  }
}
