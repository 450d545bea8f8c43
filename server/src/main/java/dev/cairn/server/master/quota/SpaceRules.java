package dev.cairn.server.master.quota;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.quota.QuotaTarget;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.Quotas;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.SpaceQuota;

/**
 * The limits on space, and the tables that they concern. Immutable.
 *
 * @param tables the limits of single tables
 * @param namespaces the limits of namespaces
 * @param concerned all tables that a limit concerns
 */
record SpaceRules(
    Map<TableName, SpaceQuota> tables,
    Map<String, SpaceQuota> namespaces,
    Set<TableName> concerned) {
  /**
   * Finds the limits among settings.
   *
   * @param present the tables that exist
   */
  static SpaceRules of(Map<QuotaTarget, Quotas> settings, Set<TableName> present) {
    Map<TableName, SpaceQuota> tables = new HashMap<>();
    Map<String, SpaceQuota> namespaces = new HashMap<>();
    settings.forEach(
        (target, quotas) -> {
          if (target.isSettings() && quotas.hasSpace()) {
            target
                .table()
                .filter(present::contains)
                .ifPresent(table -> tables.put(table, quotas.getSpace()));
            target.namespace().ifPresent(name -> namespaces.put(name, quotas.getSpace()));
          }
        });
    Set<TableName> concerned = new HashSet<>(tables.keySet());
    present.stream()
        .filter(table -> namespaces.containsKey(table.namespace()))
        .forEach(concerned::add);
    return new SpaceRules(Map.copyOf(tables), Map.copyOf(namespaces), Set.copyOf(concerned));
  }

  /** Returns the tables of a namespace that has a limit. */
  Set<TableName> members(String namespace) {
    return concerned.stream()
        .filter(table -> table.namespace().equals(namespace))
        .collect(Collectors.toSet());
  }
}
