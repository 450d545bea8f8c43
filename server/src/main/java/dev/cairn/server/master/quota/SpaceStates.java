package dev.cairn.server.master.quota;

import dev.cairn.engine.schema.TableName;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.SpaceQuota;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.SpaceQuotaSnapshot;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.SpaceQuotaStatus;

/**
 * Usages of space with their limits. A limit is exceeded as soon as it is reached, as in HBase.
 * Immutable.
 *
 * @param tables the tables that have a limit of their own
 * @param namespaces the namespaces that have a limit
 * @param enforced the states that region servers enforce: for each table its own limit, unless only
 *     the namespace's is exceeded
 */
record SpaceStates(
    Map<TableName, SpaceQuotaSnapshot> tables,
    Map<String, SpaceQuotaSnapshot> namespaces,
    Map<TableName, SpaceQuotaSnapshot> enforced) {
  /** No limits. */
  static final SpaceStates NONE = new SpaceStates(Map.of(), Map.of(), Map.of());

  /**
   * Compares usages with limits. If the usage of a table is not known, the states that depend on it
   * stay as they were.
   *
   * @param limits the limits on space
   * @param usage the bytes of each table whose usage is known
   * @param before the states of the last time; {@code enforced} may be all that is known of them
   */
  static SpaceStates of(SpaceRules limits, Map<TableName, Long> usage, SpaceStates before) {
    Map<TableName, SpaceQuotaSnapshot> tables = new HashMap<>();
    limits
        .tables()
        .forEach(
            (table, limit) -> {
              if (usage.containsKey(table)) {
                tables.put(table, state(limit, usage.get(table)));
              } else {
                Optional.ofNullable(before.enforced().get(table))
                    .ifPresent(state -> tables.put(table, state));
              }
            });
    Map<String, SpaceQuotaSnapshot> namespaces = new HashMap<>();
    Map<TableName, SpaceQuotaSnapshot> enforced = new HashMap<>(tables);
    limits
        .namespaces()
        .forEach(
            (namespace, limit) -> {
              var members = limits.members(namespace);
              boolean known = usage.keySet().containsAll(members);
              if (known) {
                long sum = members.stream().mapToLong(usage::get).sum();
                namespaces.put(namespace, state(limit, sum));
              } else {
                Optional.ofNullable(before.namespaces().get(namespace))
                    .ifPresent(state -> namespaces.put(namespace, state));
              }
              for (TableName table : members) {
                Optional.ofNullable(
                        known || namespaces.containsKey(namespace)
                            ? namespaces.get(namespace)
                            : before.enforced().get(table))
                    .filter(SpaceStates::isExceeded)
                    .filter(state -> !isExceeded(tables.get(table)))
                    .ifPresent(state -> enforced.put(table, state));
              }
            });
    return new SpaceStates(Map.copyOf(tables), Map.copyOf(namespaces), Map.copyOf(enforced));
  }

  /** Tells whether a limit is exceeded; false for null. */
  static boolean isExceeded(SpaceQuotaSnapshot state) {
    return state != null && state.getQuotaStatus().getInViolation();
  }

  private static SpaceQuotaSnapshot state(SpaceQuota limit, long usage) {
    SpaceQuotaStatus.Builder status = SpaceQuotaStatus.newBuilder();
    if (usage >= limit.getSoftLimit()) {
      status.setInViolation(true).setViolationPolicy(limit.getViolationPolicy());
    } else {
      status.setInViolation(false);
    }
    return SpaceQuotaSnapshot.newBuilder()
        .setQuotaStatus(status)
        .setQuotaUsage(usage)
        .setQuotaLimit(limit.getSoftLimit())
        .build();
  }
}
