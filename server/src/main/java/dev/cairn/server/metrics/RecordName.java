package dev.cairn.server.metrics;

import dev.cairn.server.metrics.Scope.Label;
import java.util.List;
import java.util.Locale;

/**
 * Names a record of metrics, which is one JMX bean.
 *
 * @param server the kind of server in HBase's words: {@code RegionServer}, {@code Master}; or the
 *     bean's whole name, such as {@code JvmMetrics}
 * @param sub the part of the server, such as {@code WAL}; empty if {@code server} is the whole name
 * @param context the value of the tag {@code Context}
 * @param subsystem the prefix of the record's metrics at {@code /metrics}
 * @param labels the labels of all metrics of the record at {@code /metrics}
 */
public record RecordName(
    String server, String sub, String context, String subsystem, List<Label> labels) {
  private static final String DOMAIN = "Hadoop:service=HBase,name=";

  /** Tells whether {@code bean} is the name of a bean that a registry could have. */
  static boolean isOurs(String bean) {
    return bean.startsWith(DOMAIN);
  }

  /** Returns the name of a part of a region server or master. */
  public static RecordName of(String server, String sub, String subsystem) {
    return new RecordName(server, sub, server.toLowerCase(Locale.ROOT), subsystem, List.of());
  }

  /** Returns the same name with labels. */
  public RecordName with(List<Label> labels) {
    return new RecordName(server, sub, context, subsystem, labels);
  }

  /** Returns the name of the JMX bean. */
  public String bean() {
    return DOMAIN + type();
  }

  /** Returns the bean's {@code modelerType}. */
  String type() {
    return sub.isEmpty() ? server : server + ",sub=" + sub;
  }

  /** Returns the prefix of the record's metrics at {@code /prometheus}. */
  String prefix() {
    return sub.isEmpty() || sub.equals("IPC") ? server : sub;
  }
}
