package dev.cairn.server.quota;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.quotas.RpcThrottlingException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.Quotas;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.TimedQuota;

/**
 * The limits in force on one region server. A call asks before it does anything, and reports its
 * use afterwards. A call is limited as in HBase: by the user's limits, those for this table before
 * those for its namespace before those for everything; then, unless the user bypasses them, by the
 * table's, the namespace's and the server's. System tables are never throttled. Thread-safe;
 * without limits a call costs one volatile read.
 */
public final class Throttles {

  /**
   * The amounts that a call asks for.
   *
   * @param reads number of reads
   * @param writes number of mutations
   * @param atomics number of mutations that read first: increments, appends, checks
   * @param writeBytes bytes of cells that it writes
   */
  public record Usage(long reads, long writes, long atomics, long writeBytes) {
    /** Returns the sum of both requests. */
    public Usage plus(Usage other) {
      return new Usage(
          reads + other.reads,
          writes + other.writes,
          atomics + other.atomics,
          writeBytes + other.writeBytes);
    }
  }

  /**
   * A limit on requests that is in force on a region server.
   *
   * @param limited its subject, in words
   * @param kind its kind: the name of HBase's ThrottleType
   * @param limit how much is allowed in a unit of time: requests, bytes, units of capacity or
   *     milliseconds, as the kind tells
   * @param unit the unit of time
   * @param available how much is left at the moment; negative for a debt
   */
  public record ThrottleInForce(
      String limited, String kind, long limit, String unit, long available) {}

  /** The amounts that a call was allowed; it receives the amounts that the call used. */
  public static final class Permit {
    private static final Permit FREE = new Permit(List.of(), new Usage(0, 0, 0, 0), 0);

    private final List<Map<ThrottleKind, RateLimiter>> limits;
    private final Usage asked;
    private final long begunNanos;

    private Permit(List<Map<ThrottleKind, RateLimiter>> limits, Usage asked, long begunNanos) {
      this.limits = limits;
      this.asked = asked;
      this.begunNanos = begunNanos;
    }
  }

  private record Limits(Map<ThrottleKind, RateLimiter> rates, boolean bypass) {
    static final Limits NONE = new Limits(Map.of(), false);
  }

  private record State(Map<QuotaTarget, Limits> limits, boolean exceed) {
    static final State EMPTY = new State(Map.of(), false);

    Limits limitsOf(QuotaTarget target) {
      return limits.getOrDefault(target, Limits.NONE);
    }
  }

  private final Clock clock;
  private volatile State state = State.EMPTY;

  /** Creates an empty set of limits. */
  public Throttles(Clock clock) {
    this.clock = clock;
  }

  /**
   * Puts settings in force. Unchanged limits keep their used amounts.
   *
   * @param exceed whether calls may use a server's spare capacity: then only its limits apply
   */
  public synchronized void set(Map<QuotaTarget, Quotas> settings, boolean exceed) {
    Map<QuotaTarget, Limits> limits = new HashMap<>();
    settings.forEach(
        (target, quotas) -> {
          Map<ThrottleKind, RateLimiter> before = state.limitsOf(target).rates();
          Map<ThrottleKind, RateLimiter> rates = new EnumMap<>(ThrottleKind.class);
          for (ThrottleKind kind : ThrottleKind.values()) {
            if (quotas.getThrottle().hasField(kind.field())) {
              TimedQuota quota = (TimedQuota) quotas.getThrottle().getField(kind.field());
              RateLimiter present = before.get(kind);
              rates.put(
                  kind,
                  present != null && present.quota().equals(quota)
                      ? present
                      : new RateLimiter(quota, clock.nanoTime()));
            }
          }
          if (!rates.isEmpty() || quotas.getBypassGlobals()) {
            limits.put(target, new Limits(rates, quotas.getBypassGlobals()));
          }
        });
    state = limits.isEmpty() ? State.EMPTY : new State(limits, exceed);
  }

  /**
   * Admits a call.
   *
   * @throws RpcThrottlingException saying how long to wait
   */
  public Permit admit(String user, TableName table, Usage asked) throws RpcThrottlingException {
    State now = state;
    if (now == State.EMPTY || table.namespace().equals(TableName.SYSTEM_NAMESPACE)) {
      return Permit.FREE;
    }
    List<Map<ThrottleKind, RateLimiter>> limits = limits(now, user, table);
    long nanos = clock.nanoTime();
    for (Map<ThrottleKind, RateLimiter> rates : limits) {
      for (Map.Entry<ThrottleKind, RateLimiter> rate : rates.entrySet()) {
        if (rate.getKey().concerns(asked)) {
          long wait = rate.getValue().waitMillis(rate.getKey().asked(asked), nanos);
          if (wait > 0) {
            rate.getKey().excess().tell(wait);
          }
        }
      }
    }
    consume(limits, asked);
    return limits.isEmpty() ? Permit.FREE : new Permit(limits, asked, nanos);
  }

  /** Returns the limits in force, by subject. */
  public List<ThrottleInForce> inForce() {
    long nanos = clock.nanoTime();
    List<ThrottleInForce> all = new ArrayList<>();
    state
        .limits()
        .forEach(
            (target, limits) ->
                limits
                    .rates()
                    .forEach(
                        (kind, rate) ->
                            all.add(
                                new ThrottleInForce(
                                    target.words(),
                                    kind.name(),
                                    rate.quota().getSoftLimit(),
                                    rate.quota().getTimeUnit().name().toLowerCase(Locale.ROOT),
                                    rate.available(nanos)))));
    all.sort(Comparator.comparing(ThrottleInForce::limited).thenComparing(ThrottleInForce::kind));
    return all;
  }

  /** Tells whether there are limits. */
  public boolean isActive() {
    return state != State.EMPTY;
  }

  /** Records the bytes that a call read, and its duration. */
  public void done(Permit permit, long readBytes) {
    if (permit != Permit.FREE) {
      long millis = TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - permit.begunNanos);
      for (Map<ThrottleKind, RateLimiter> rates : permit.limits) {
        rates.forEach(
            (kind, rate) ->
                rate.consume(kind.found(permit.asked.atomics() > 0, readBytes, millis)));
      }
    }
  }

  /** Takes back the permit of a call that is not made after all, as if it had not asked. */
  public void giveBack(Permit permit) {
    for (Map<ThrottleKind, RateLimiter> rates : permit.limits) {
      rates.forEach((kind, rate) -> rate.consume(-kind.asked(permit.asked)));
    }
  }

  private static List<Map<ThrottleKind, RateLimiter>> limits(
      State now, String user, TableName table) {
    Map<ThrottleKind, RateLimiter> server = now.limitsOf(QuotaTarget.SERVERS).rates();
    List<Map<ThrottleKind, RateLimiter>> limits = new ArrayList<>();
    if (now.exceed() && !server.isEmpty()) {
      limits.add(server);
      return limits;
    }
    Limits own = now.limitsOf(QuotaTarget.userOfTable(user, table));
    if (own.rates().isEmpty()) {
      own = now.limitsOf(QuotaTarget.userOfNamespace(user, table.namespace()));
    }
    Limits everywhere = now.limitsOf(QuotaTarget.user(user));
    add(limits, own.rates().isEmpty() ? everywhere.rates() : own.rates());
    if (!everywhere.bypass()) {
      add(limits, now.limitsOf(QuotaTarget.table(table)).rates());
      add(limits, now.limitsOf(QuotaTarget.namespace(table.namespace())).rates());
      add(limits, server);
    }
    return limits;
  }

  private static void add(
      List<Map<ThrottleKind, RateLimiter>> limits, Map<ThrottleKind, RateLimiter> rates) {
    if (!rates.isEmpty()) {
      limits.add(rates);
    }
  }

  private static void consume(List<Map<ThrottleKind, RateLimiter>> limits, Usage asked) {
    for (Map<ThrottleKind, RateLimiter> rates : limits) {
      rates.forEach((kind, rate) -> rate.consume(kind.asked(asked)));
    }
  }
}
