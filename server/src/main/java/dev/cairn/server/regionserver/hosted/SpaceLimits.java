package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.rpc.wire.NamedException;
import java.util.Map;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.SpaceQuotaSnapshot;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.SpaceViolationPolicy;

/**
 * The limits on space that a region server enforces: the latest state of each table, as the master
 * reported it. Thread-safe; a check costs one volatile read while there are no limits.
 */
public final class SpaceLimits {
  private static final String EXCEPTION = "org.apache.hadoop.hbase.quotas.SpaceLimitingException";

  /** The kinds of writes that policies tell apart. */
  public enum Change {
    /** Puts, increments and appends. */
    INSERT("Puts"),

    /** Deletions. */
    DELETE("Deletes"),

    /** Files that are loaded in bulk. */
    LOAD("Bulk loads");

    private final String plural;

    Change(String plural) {
      this.plural = plural;
    }
  }

  private volatile Map<TableName, SpaceQuotaSnapshot> inForce = Map.of();

  /** Puts limits in force, in place of all earlier ones. */
  public void set(Map<TableName, SpaceQuotaSnapshot> states) {
    inForce = Map.copyOf(states);
  }

  /** Returns the limits in force, by table. */
  public Map<TableName, SpaceQuotaSnapshot> inForce() {
    return inForce;
  }

  /**
   * Returns if a table may be changed.
   *
   * @throws NamedException with HBase's SpaceLimitingException, if its limit forbids the change
   */
  public void check(TableName table, Change change) throws NamedException {
    SpaceQuotaSnapshot state = inForce.get(table);
    if (state == null || !state.getQuotaStatus().getInViolation()) {
      return;
    }
    SpaceViolationPolicy policy = state.getQuotaStatus().getViolationPolicy();
    if (change == Change.DELETE && policy == SpaceViolationPolicy.NO_INSERTS) {
      return;
    }
    throw refusal(
        policy.name(),
        change.plural + " are disallowed due to a space quota",
        table + " uses " + state.getQuotaUsage() + " of " + state.getQuotaLimit() + " bytes");
  }

  /**
   * Returns if files may be loaded into a table.
   *
   * @param bytes the length of all files together
   * @throws NamedException with HBase's SpaceLimitingException, if the table would exceed its limit
   */
  public void checkLoad(TableName table, long bytes) throws NamedException {
    check(table, Change.LOAD);
    SpaceQuotaSnapshot state = inForce.get(table);
    if (state != null && bytes > state.getQuotaLimit() - state.getQuotaUsage()) {
      throw refusal(
          "BulkLoadVerifying",
          "Bulk load of "
              + bytes
              + " bytes is disallowed because the file(s) exceed the limits of a"
              + " space quota",
          table + " uses " + state.getQuotaUsage() + " of " + state.getQuotaLimit() + " bytes");
    }
  }

  /** Tells whether a table has a limit, so that the lengths of files to load matter. */
  public boolean concerns(TableName table) {
    return inForce.containsKey(table);
  }

  /** Tells whether a table may be compacted. */
  public boolean mayCompact(TableName table) {
    SpaceQuotaSnapshot state = inForce.get(table);
    return state == null
        || !state.getQuotaStatus().getInViolation()
        || state.getQuotaStatus().getViolationPolicy()
            != SpaceViolationPolicy.NO_WRITES_COMPACTIONS;
  }

  private static NamedException refusal(String policy, String what, String why) {
    return new NamedException(EXCEPTION, policy + " " + what + ": " + why);
  }
}
