package dev.cairn.server.quota;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetQuotaRequest;

/**
 * The subject of quota settings, and its position in {@code hbase:quota}:
 *
 * <pre>
 *   row u.USER     q:s             the user        q:s.TABLE   the user and a table
 *                                                  q:s.NS:     the user and a namespace
 *   row t.TABLE    q:s             a table
 *   row n.NS       q:s             a namespace
 *   row r.all      q:s             every region server
 *   value          PBUF, Quotas message
 *   row t.TABLE    u:p             the table's usage of space, and its limit
 *                  u:ssSNAPSHOT    what a snapshot of the table adds
 *   row n.NS       u:ss            what all snapshots of the namespace's tables add
 *   value          SpaceQuotaSnapshot message
 * </pre>
 *
 * <p>Names as in HBase 2.6's QuotaTableUtil.
 *
 * @param family the family
 * @param row the row
 * @param qualifier the qualifier
 */
public record QuotaTarget(String family, String row, String qualifier) {
  /** The table of the settings. */
  public static final TableName TABLE = new TableName(TableName.SYSTEM_NAMESPACE, "quota");

  /** The family of the settings. */
  public static final byte[] FAMILY = Bytes.utf8("q");

  /** The family of measured sizes, and of our own switch. */
  public static final byte[] USAGE = Bytes.utf8("u");

  /** The row of the one-byte switch that lets calls use a server's spare capacity. */
  public static final QuotaTarget EXCEED = new QuotaTarget("q", "exceedThrottleQuota", "s");

  /**
   * The switch for all throttles, one byte. HBase has it in ZooKeeper. Among the settings it would
   * end the list that HBase's client makes of them.
   */
  public static final QuotaTarget ENABLED = new QuotaTarget("u", "cairn.rpcThrottle", "enabled");

  /** The limits of each region server. */
  public static final QuotaTarget SERVERS = new QuotaTarget("q", "r.all", "s");

  private static final String SETTINGS = "s";
  private static final String STATE = "p";
  private static final String SNAPSHOT_SIZE = "ss";

  static QuotaTarget user(String user) {
    return new QuotaTarget("q", "u." + user, SETTINGS);
  }

  static QuotaTarget userOfTable(String user, TableName table) {
    return new QuotaTarget("q", "u." + user, SETTINGS + "." + table);
  }

  static QuotaTarget userOfNamespace(String user, String namespace) {
    return new QuotaTarget("q", "u." + user, SETTINGS + "." + namespace + ":");
  }

  /** Returns the settings of a table. */
  public static QuotaTarget table(TableName table) {
    return new QuotaTarget("q", "t." + table, SETTINGS);
  }

  /** Returns the settings of a namespace. */
  public static QuotaTarget namespace(String namespace) {
    return new QuotaTarget("q", "n." + namespace, SETTINGS);
  }

  /**
   * Returns the subject of a request.
   *
   * @param tableName the request's table, parsed
   * @throws IOException if it names none
   */
  public static QuotaTarget of(SetQuotaRequest request, Optional<TableName> tableName)
      throws IOException {
    if (request.hasUserName()) {
      if (tableName.isPresent()) {
        return userOfTable(request.getUserName(), tableName.get());
      }
      return request.hasNamespace()
          ? userOfNamespace(request.getUserName(), request.getNamespace())
          : user(request.getUserName());
    }
    if (tableName.isPresent()) {
      return table(tableName.get());
    }
    if (request.hasNamespace()) {
      return namespace(request.getNamespace());
    }
    if (request.hasRegionServer()) {
      if (!request.getRegionServer().equals("all")) {
        throw new DoNotRetryIOException(
            "The limits of region servers are those of all of them: name \"all\", not "
                + request.getRegionServer());
      }
      return SERVERS;
    }
    throw new DoNotRetryIOException(
        "a user, a table, a namespace or region server must be specified");
  }

  /** Returns where a table's usage of space and its limit lie, a SpaceQuotaSnapshot. */
  public static QuotaTarget state(TableName table) {
    return new QuotaTarget("u", "t." + table, STATE);
  }

  /** Returns the position of the size of one of a table's snapshots, a SpaceQuotaSnapshot. */
  public static QuotaTarget snapshotSize(TableName table, String snapshot) {
    return new QuotaTarget("u", "t." + table, SNAPSHOT_SIZE + snapshot);
  }

  /** Returns the position of the size of a namespace's snapshots, a SpaceQuotaSnapshot. */
  public static QuotaTarget snapshotSize(String namespace) {
    return new QuotaTarget("u", "n." + namespace, SNAPSHOT_SIZE);
  }

  /**
   * Returns the table that settings or a usage are about; empty if they are about another thing.
   */
  public Optional<TableName> table() {
    try {
      return row.startsWith("t.")
          ? Optional.of(TableName.parse(row.substring(2)))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // No table can have that name.
    }
  }

  /** Returns the namespace that settings are about; empty if they are about another thing. */
  public Optional<String> namespace() {
    return row.startsWith("n.") ? Optional.of(row.substring(2)) : Optional.empty();
  }

  /** Returns the subject of settings in words: {@code user ada, table t}. */
  String words() {
    String name = row.substring(2);
    return switch (row.charAt(0)) {
      case 'u' ->
          qualifier.equals(SETTINGS)
              ? "user " + name
              : "user " + name + ", " + scope(qualifier.substring(SETTINGS.length() + 1));
      case 't' -> "table " + name;
      case 'n' -> "namespace " + name;
      default -> "each region server";
    };
  }

  private static String scope(String name) {
    return name.endsWith(":")
        ? "namespace " + name.substring(0, name.length() - 1)
        : "table " + name;
  }

  /** Tells whether these are the settings of a table or a namespace for all users. */
  public boolean isSettings() {
    return family.equals("q") && qualifier.equals(SETTINGS);
  }

  /** Tells whether this is a table's usage of space. */
  public boolean isState() {
    return family.equals("u") && qualifier.equals(STATE);
  }

  /** Tells whether this is a usage of space: of a table, or of snapshots. */
  public boolean isSpace() {
    return isState() || family.equals("u") && qualifier.startsWith(SNAPSHOT_SIZE);
  }

  /** Returns the table's descriptor, with the attributes that HBase gives it. */
  public static TableSchema schema() {
    Map<String, String> attributes = Map.of("VERSIONS", "1", "BLOOMFILTER", "ROW");
    return TableSchema.of(
        TABLE, FamilySchema.of("q", attributes), FamilySchema.of("u", attributes));
  }
}
