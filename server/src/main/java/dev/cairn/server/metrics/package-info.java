/**
 * The metrics of a server, and their views. A {@link dev.cairn.server.metrics.MetricSource} reads
 * the counters of one part when a view asks for them; the {@link
 * dev.cairn.server.metrics.MetricRegistry} holds the sources. The views are JMX beans and {@code
 * /jmx} and {@code /prometheus} under HBase's names, and {@code /metrics} with labels. Without a
 * reader, only {@link dev.cairn.server.metrics.Histogram#record} costs anything.
 */
package dev.cairn.server.metrics;
