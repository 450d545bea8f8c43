package dev.cairn.server.metrics;

import java.util.function.Supplier;
import javax.management.MBeanServer;

/**
 * The pages of a registry.
 *
 * @param jmx beans as JSON
 * @param hbase HBase's names in Prometheus' format
 * @param labelled names with labels in Prometheus' format
 */
public record MetricPages(JmxPage jmx, HBasePrometheusPage hbase, PrometheusPage labelled) {
  /**
   * Returns the pages of a registry.
   *
   * @param jvm returns the JVM's own beans; asked at the first request for beans
   */
  public static MetricPages of(MetricRegistry registry, Supplier<MBeanServer> jvm) {
    return new MetricPages(
        new JmxPage(registry, jvm),
        new HBasePrometheusPage(registry),
        new PrometheusPage(registry));
  }
}
