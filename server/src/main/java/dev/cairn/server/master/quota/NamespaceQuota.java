package dev.cairn.server.master.quota;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.namespace.Namespaces;
import dev.cairn.server.master.table.Tables;
import dev.cairn.server.rpc.wire.NamedException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.quotas.QuotaExceededException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameStringPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NamespaceDescriptor;

/**
 * Limits how many tables and regions a namespace has, by the properties {@code
 * hbase.namespace.quota.maxtables} and {@code hbase.namespace.quota.maxregions}. As in HBase, both
 * are enforced while {@code hbase.quota.enabled} is set, and existing tables and regions stay when
 * the limit is lowered. There are no running counts, which could drift: each check counts the
 * present tables and regions. Owned by the loop.
 */
public final class NamespaceQuota {
  private static final String MAX_TABLES = "hbase.namespace.quota.maxtables";
  private static final String MAX_REGIONS = "hbase.namespace.quota.maxregions";

  private final boolean enforced;
  private final Tables tables;
  private final Namespaces namespaces;
  private final Assignments assignments;
  private final Predicate<TableName> isBusy;
  private final Supplier<Stream<RegionInfo>> splitting;

  /** Tables that are being made, with the regions that they get. */
  private final Map<TableName, Integer> coming = new HashMap<>();

  /**
   * Creates the limits.
   *
   * @param isBusy tells whether a procedure concerns a table
   * @param splitting returns the regions that procedures split
   */
  public NamespaceQuota(
      boolean enforced,
      Tables tables,
      Namespaces namespaces,
      Assignments assignments,
      Predicate<TableName> isBusy,
      Supplier<Stream<RegionInfo>> splitting) {
    this.enforced = enforced;
    this.tables = tables;
    this.namespaces = namespaces;
    this.assignments = assignments;
    this.isBusy = isBusy;
    this.splitting = splitting;
  }

  /**
   * Checks the limits that a descriptor sets, enforced or not.
   *
   * @throws DoNotRetryIOException if one is no number or not above zero
   */
  public static void check(NamespaceDescriptor namespace) throws IOException {
    checkPositive(namespace, limit(namespace, MAX_REGIONS, "regions"), "region");
    checkPositive(namespace, limit(namespace, MAX_TABLES, "tables"), "tables");
  }

  private static void checkPositive(NamespaceDescriptor namespace, long limit, String what)
      throws IOException {
    if (limit <= 0) {
      throw new NamedException(
          NamedException.CONSTRAINT,
          "The max "
              + what
              + " quota for "
              + namespace.getName().toStringUtf8()
              + " is less than or equal to zero.");
    }
  }

  private static long limit(NamespaceDescriptor namespace, String property, String what)
      throws IOException {
    for (NameStringPair pair : namespace.getConfigurationList()) {
      if (pair.getName().equals(property) && !pair.getValue().isEmpty()) {
        try {
          return Long.parseLong(pair.getValue());
        } catch (NumberFormatException e) {
          throw new DoNotRetryIOException(
              "NumberFormatException while getting max "
                  + what
                  + ": "
                  + property
                  + " must be a number, not <"
                  + pair.getValue()
                  + ">",
              e);
        }
      }
    }
    return Long.MAX_VALUE;
  }

  /**
   * Takes note of a table that is being made.
   *
   * @throws QuotaExceededException if its namespace may not have it
   */
  public void checkCreate(TableName table, int regions) throws IOException {
    NamespaceDescriptor namespace = namespaces.require(table.namespace());
    if (enforced) {
      Set<TableName> others = tablesOf(table.namespace());
      others.remove(table);
      long maxTables = limit(namespace, MAX_TABLES, "tables");
      if (others.size() >= maxTables) {
        throw new QuotaExceededException(
            "The table "
                + table
                + " cannot be created as it would exceed maximum number of tables allowed in the"
                + " namespace. The total number of tables permitted is "
                + maxTables);
      }
      checkRegions(namespace, others, table, regions);
    }
    creating(table, regions);
  }

  /**
   * Returns if a table may get other regions in the place of its present ones.
   *
   * @throws QuotaExceededException if that exceeds its namespace's limit
   */
  public void checkReplace(TableName table, int regions) throws IOException {
    if (enforced) {
      Set<TableName> others = tablesOf(table.namespace());
      others.remove(table);
      checkRegions(namespaces.require(table.namespace()), others, table, regions);
    }
  }

  private void checkRegions(
      NamespaceDescriptor namespace, Set<TableName> others, TableName table, int regions)
      throws IOException {
    long maxRegions = limit(namespace, MAX_REGIONS, "regions");
    long present = others.stream().mapToLong(this::regionsOf).sum();
    if (present + regions > maxRegions) {
      throw new QuotaExceededException(
          "The table "
              + table
              + " is not allowed to have "
              + regions
              + " regions. The total number of regions permitted is only "
              + maxRegions
              + ", while current region count is "
              + present
              + ". This may be transient, please retry later if there are any ongoing split"
              + " operations in the namespace.");
    }
  }

  /**
   * Returns if a region may be split in two.
   *
   * @throws QuotaExceededException if its namespace may not have one more
   */
  public void checkSplit(RegionInfo region) throws IOException {
    String namespace = region.table().namespace();
    long limit = limit(namespaces.require(namespace), MAX_REGIONS, "regions");
    long present = tablesOf(namespace).stream().mapToLong(this::regionsOf).sum();
    // Each split that is not decided yet adds a region.
    present +=
        splitting
            .get()
            .filter(other -> other.table().namespace().equals(namespace) && !other.equals(region))
            .filter(other -> assignments.find(other.encodedName()).isPresent())
            .count();
    if (enforced && present + 1 > limit) {
      throw new QuotaExceededException(
          "Region split not possible for :"
              + region.encodedName()
              + " as quota limits are exceeded: the namespace has "
              + present
              + " regions of "
              + limit);
    }
  }

  /** Takes note of a table that is being made, allowed long ago. */
  public void creating(TableName table, int regions) {
    coming.put(table, regions);
  }

  private Set<TableName> tablesOf(String namespace) {
    // A failed creation leaves its note; no procedure works on the table then.
    coming.keySet().removeIf(table -> tables.find(table).isPresent() || !isBusy.test(table));
    Set<TableName> own = new TreeSet<>(coming.keySet());
    own.addAll(tables.states().keySet());
    own.removeIf(table -> !table.namespace().equals(namespace));
    return own;
  }

  private int regionsOf(TableName table) {
    Integer announced = coming.get(table);
    return announced != null ? announced : assignments.regionsOf(table).size();
  }
}
