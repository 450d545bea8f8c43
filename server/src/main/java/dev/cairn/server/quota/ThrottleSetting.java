package dev.cairn.server.quota;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.Quotas;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.TimedQuota;

/**
 * A limit on requests in {@code hbase:quota}, or the permission of a user to ignore the limits of
 * tables, namespaces and servers.
 *
 * @param limited the user, table, namespace or servers, in words
 * @param kind its kind: the name of HBase's ThrottleType; {@link #BYPASS} for the permission
 * @param limit how much is allowed in a unit of time: requests, bytes, units of capacity or
 *     milliseconds, as the kind tells; empty for the permission
 * @param unit the unit of time, such as {@code seconds}; empty for the permission
 * @param scope {@code machine} if the limit is for each server, {@code cluster} if it is for all
 *     servers together; empty for the permission
 */
public record ThrottleSetting(
    String limited, String kind, OptionalLong limit, String unit, String scope) {
  /** The kind of the permission to ignore the limits of tables, namespaces and servers. */
  public static final String BYPASS = "BYPASS_GLOBALS";

  /** Returns the limits on requests among settings, ordered by subject and kind. */
  public static List<ThrottleSetting> of(Map<QuotaTarget, Quotas> settings) {
    List<ThrottleSetting> all = new ArrayList<>();
    settings.forEach(
        (target, quotas) -> {
          for (ThrottleKind kind : ThrottleKind.values()) {
            if (quotas.getThrottle().hasField(kind.field())) {
              all.add(
                  limit(target, kind, (TimedQuota) quotas.getThrottle().getField(kind.field())));
            }
          }
          if (quotas.getBypassGlobals()) {
            all.add(new ThrottleSetting(target.words(), BYPASS, OptionalLong.empty(), "", ""));
          }
        });
    all.sort(Comparator.comparing(ThrottleSetting::limited).thenComparing(ThrottleSetting::kind));
    return all;
  }

  private static ThrottleSetting limit(QuotaTarget target, ThrottleKind kind, TimedQuota quota) {
    return new ThrottleSetting(
        target.words(),
        kind.name(),
        OptionalLong.of(quota.getSoftLimit()),
        quota.getTimeUnit().name().toLowerCase(Locale.ROOT),
        quota.getScope().name().toLowerCase(Locale.ROOT));
  }
}
