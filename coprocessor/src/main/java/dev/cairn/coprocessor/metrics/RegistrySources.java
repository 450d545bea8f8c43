package dev.cairn.coprocessor.metrics;

import dev.cairn.server.metrics.MetricSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;

/**
 * The metrics that coprocessors have registered in this JVM. HBase's hosts create a registry for
 * each class, and remove it after the class has been stopped; a class may create further ones.
 * Thread-safe.
 */
public final class RegistrySources {
  private final MetricRegistries registries;
  private final Map<MetricRegistryInfo, RegistrySource> sources = new HashMap<>();

  /** Creates it. */
  public RegistrySources(MetricRegistries registries) {
    this.registries = registries;
  }

  /** Returns a source for each present registry, and the same one as before if it was present. */
  public synchronized Collection<MetricSource> all() {
    Map<MetricRegistryInfo, MetricRegistry> present = new HashMap<>();
    for (MetricRegistry registry : registries.getMetricRegistries()) {
      MetricRegistryInfo info = registry.getMetricRegistryInfo();
      if (!info.isExistingSource()) { // the others are not beans, in HBase either
        present.put(info, registry);
      }
    }
    sources.entrySet().removeIf(one -> !one.getValue().reads(present.get(one.getKey())));
    present.forEach(
        (info, registry) -> sources.computeIfAbsent(info, one -> new RegistrySource(registry)));
    return List.copyOf(sources.values());
  }
}
