package dev.cairn.server.master.table;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.constraint.ColumnRules;
import dev.cairn.engine.index.TableIndexes;
import dev.cairn.engine.region.state.FlushPolicy;
import dev.cairn.engine.region.state.FlushSettings;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.keys.KeyFormat;
import dev.cairn.server.catalog.DescriptorDefaults;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.loadsplit.LoadSplitSettings;
import dev.cairn.server.split.SplitPolicies;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;

/** Accepts or refuses a table that a client describes, and divides it into regions. Thread-safe. */
public final class TableDescriptorChecker {
  private static final int DIRECTORY_BYTES_MAX = 255;

  /**
   * The maximum number of replicas: their numbers have four hexadecimal digits in names, and nobody
   * needs more than a few.
   */
  static final int REPLICAS_MAX = 1000;

  private static final Set<String> MEMORY_COMPACTIONS =
      Set.of("NONE", "BASIC", "EAGER", "ADAPTIVE");

  private TableDescriptorChecker() {}

  /**
   * Reads a descriptor and completes it, because clients of other versions do not send all
   * attributes. A value that is impossible is the client's mistake.
   */
  public static TableSchema parse(HBaseProtos.TableSchema sent) throws DoNotRetryIOException {
    HBaseProtos.TableSchema message = DescriptorDefaults.complete(sent);
    for (HBaseProtos.ColumnFamilySchema family : message.getColumnFamiliesList()) {
      SanityChecks.checkNumbers(family);
    }
    try {
      return new TableSchema(message);
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    }
  }

  /** Reads a table's name. */
  public static TableName name(HBaseProtos.TableName message) throws DoNotRetryIOException {
    try {
      return Messages.tableName(message);
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    }
  }

  /**
   * Checks a descriptor that a client sends.
   *
   * @throws DoNotRetryIOException naming the invalid or unsupported setting
   */
  public static void check(TableSchema schema, SchemaRules rules) throws IOException {
    checkKeyFormat(schema);
    checkStored(schema, rules);
  }

  /**
   * Checks the changed descriptor of a table. A malformed {@code KEY_FORMAT} is refused only if it
   * is new: HBase stores any text, and only displays of keys use it.
   *
   * @throws DoNotRetryIOException naming the invalid or unsupported setting
   */
  public static void checkChange(TableSchema present, TableSchema wanted, SchemaRules rules)
      throws IOException {
    Optional<String> format = wanted.attribute(KeyFormat.TABLE_ATTRIBUTE);
    if (!format.equals(present.attribute(KeyFormat.TABLE_ATTRIBUTE))) {
      checkKeyFormat(wanted);
    }
    checkStored(wanted, rules);
  }

  /**
   * Checks the descriptor of a snapshot, which HBase may have taken.
   *
   * @throws DoNotRetryIOException naming the invalid or unsupported setting
   */
  public static void checkStored(TableSchema schema, SchemaRules rules) throws IOException {
    if (schema.families().isEmpty()) {
      throw new DoNotRetryIOException("Table should have at least one column family.");
    }
    long replicas =
        number(schema.attribute("REGION_REPLICATION"), "REGION_REPLICATION", schema).orElse(1L);
    if (replicas < 1) {
      throw new DoNotRetryIOException("Table region replication should be at least one.");
    }
    if (replicas > REPLICAS_MAX) {
      throw new DoNotRetryIOException(
          "REGION_REPLICATION "
              + replicas
              + " is not from 1 to "
              + REPLICAS_MAX
              + ", in table "
              + schema.name());
    }
    checkSplits(schema, rules.splits());
    checkDurability(schema);
    checkFlushPolicy(schema);
    checkConstraints(schema);
    checkIndexes(schema);
    for (String size : List.of("MAX_FILESIZE", "MEMSTORE_FLUSHSIZE")) {
      number(schema.attribute(size), size, schema);
    }
    SanityChecks.check(schema, rules);
    for (FamilySchema family : schema.families()) {
      checkFamily(family);
    }
    try {
      rules.engine().accept(schema);
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    }
  }

  private static void checkSplits(TableSchema schema, SplitPolicies splits) throws IOException {
    try {
      splits.check(schema);
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(
          "Unable to load configured region split policy '"
              + schema
                  .attribute("SPLIT_POLICY")
                  .or(() -> schema.attribute("hbase.regionserver.region.split.policy"))
                  .orElse("")
              + "' for table '"
              + schema.name()
              + "': "
              + e.getMessage(),
          e);
    }
    try {
      LoadSplitSettings.check(schema);
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(
          "Table '" + schema.name() + "' cannot be split as it says: " + e.getMessage(), e);
    }
  }

  private static void checkDurability(TableSchema schema) throws IOException {
    String durability = schema.attribute("DURABILITY").orElse("USE_DEFAULT");
    if (Arrays.stream(Mutation.Durability.values())
        .noneMatch(known -> known.name().equals(durability))) {
      throw new DoNotRetryIOException(
          "DURABILITY is one of "
              + Arrays.toString(Mutation.Durability.values())
              + ", not <"
              + durability
              + ">, in table "
              + schema.name());
    }
  }

  /** HBase would use its default policy and say so in its log alone. */
  private static void checkFlushPolicy(TableSchema schema) throws IOException {
    Optional<String> policy = schema.attribute(FlushSettings.POLICY_ATTRIBUTE);
    try {
      policy.ifPresent(FlushPolicy::require);
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(e.getMessage() + ", in table " + schema.name(), e);
    }
  }

  private static void checkConstraints(TableSchema schema) throws IOException {
    try {
      if (schema.constraints() != ColumnRules.NONE
          && schema.name().namespace().equals(TableName.SYSTEM_NAMESPACE)) {
        throw new DoNotRetryIOException(
            "A table of the system has no constraints: " + schema.name());
      }
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(e.getMessage() + ", in table " + schema.name(), e);
    }
  }

  private static void checkIndexes(TableSchema schema) throws IOException {
    try {
      schema.checkIndexes();
      if (schema.indexes() != TableIndexes.NONE
          && schema.name().namespace().equals(TableName.SYSTEM_NAMESPACE)) {
        throw new DoNotRetryIOException("A table of the system has no indexes: " + schema.name());
      }
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(e.getMessage() + ", in table " + schema.name(), e);
    }
  }

  /**
   * Checks the format of row keys that a client sends.
   *
   * @throws DoNotRetryIOException if it is malformed
   */
  public static void checkKeyFormat(TableSchema schema) throws IOException {
    try {
      schema.attribute(KeyFormat.TABLE_ATTRIBUTE).ifPresent(KeyFormat::parse);
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(
          KeyFormat.TABLE_ATTRIBUTE + " of table " + schema.name() + ": " + e.getMessage(), e);
    }
  }

  private static void checkFamily(FamilySchema family) throws IOException {
    String name = family.nameAsString();
    if (family.name().length == 0 || family.name().length > Cell.MAX_FAMILY_LENGTH) {
      throw new DoNotRetryIOException(
          "A column family's name has 1 to "
              + Cell.MAX_FAMILY_LENGTH
              + " bytes, not "
              + family.name().length);
    }
    if (name.startsWith(".") || name.indexOf(':') >= 0 || name.indexOf('/') >= 0) {
      throw new DoNotRetryIOException(
          "Column family " + name + " begins with a period or has a colon or a slash");
    }
    if (name.equals("recovered.edits")) {
      throw new DoNotRetryIOException(
          "A column family cannot be called recovered.edits, which is a directory of the server");
    }
    for (int i = 0; i < name.length(); i++) {
      if (Character.isISOControl(name.charAt(i))) {
        throw new DoNotRetryIOException(
            "Column family " + Bytes.toStringBinary(family.name()) + " has control characters");
      }
    }
    String memory = family.attribute("IN_MEMORY_COMPACTION").orElse("NONE");
    if (!MEMORY_COMPACTIONS.contains(memory.toUpperCase(Locale.ROOT))) {
      throw new DoNotRetryIOException(
          "IN_MEMORY_COMPACTION of column family "
              + name
              + " is one of "
              + MEMORY_COMPACTIONS
              + ", not <"
              + memory
              + ">");
    }
    if (family.attribute("ENCRYPTION").filter(value -> !value.isEmpty()).isPresent()) {
      throw new DoNotRetryIOException("ENCRYPTION is not supported yet, in column family " + name);
    }
    checkReplicas(family);
    checkScope(family);
  }

  /** Checks the number of replicas of the family's files; 0 means the default of HDFS. */
  private static void checkReplicas(FamilySchema family) throws IOException {
    String replicas = family.attribute("DFS_REPLICATION").orElse("0").trim();
    if (replicas.matches("-?[0-9]{1,5}") && Integer.parseInt(replicas) <= Short.MAX_VALUE) {
      return;
    }
    throw new DoNotRetryIOException(
        "HFile Replication for column family "
            + family.nameAsString()
            + " must be a number from 0 to 32767, not "
            + replicas);
  }

  /**
   * The setting is kept for readers of the descriptor; cells are not replicated, since no peer can
   * be added.
   */
  private static void checkScope(FamilySchema family) throws IOException {
    String scope = family.attribute("REPLICATION_SCOPE").orElse("0").trim();
    try {
      Integer.parseInt(scope);
    } catch (NumberFormatException e) {
      throw new DoNotRetryIOException(
          "Replication scope for column family "
              + family.nameAsString()
              + " must be 0 or 1, not "
              + scope,
          e);
    }
  }

  private static Optional<Long> number(Optional<String> text, String key, TableSchema schema)
      throws IOException {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Long.parseLong(text.get().trim()));
    } catch (NumberFormatException e) {
      throw new DoNotRetryIOException(
          key + " must be a number, not <" + text.get() + ">, in table " + schema.name(), e);
    }
  }

  /**
   * Cuts a table into regions.
   *
   * @param splitKeys the first rows of all regions but the first, in any order
   * @throws DoNotRetryIOException if a key is empty, too long or there twice, or the name too long
   */
  public static List<RegionInfo> regions(TableName table, List<byte[]> splitKeys, long regionId)
      throws DoNotRetryIOException {
    checkDirectory("A table's name", table.qualifier());
    List<byte[]> keys = new ArrayList<>(splitKeys);
    keys.sort(Arrays::compareUnsigned);
    List<RegionInfo> regions = new ArrayList<>();
    byte[] start = Bytes.EMPTY;
    for (byte[] key : keys) {
      checkStart(table, key);
      if (Arrays.equals(start, key)) {
        throw new DoNotRetryIOException(
            "All split keys must be unique, found duplicate: " + Bytes.toStringBinary(key));
      }
      regions.add(new RegionInfo(table, start, key, regionId));
      start = key;
    }
    regions.add(new RegionInfo(table, start, Bytes.EMPTY, regionId));
    return regions;
  }

  /**
   * Checks the start key of a region. The region's name is a row of {@code hbase:meta}: a longer
   * name could never be written, and would block all later writes.
   *
   * @throws DoNotRetryIOException if the key is empty or too long
   */
  public static void checkStart(TableName table, byte[] key) throws DoNotRetryIOException {
    int least = new RegionInfo(table, Bytes.EMPTY, Bytes.EMPTY, Long.MAX_VALUE).regionName().length;
    int most = Cell.MAX_ROW_LENGTH - least;
    if (key.length == 0 || key.length > most) {
      throw new DoNotRetryIOException(
          "A split key of table " + table + " has 1 to " + most + " bytes, not " + key.length);
    }
  }

  /**
   * Checks the name of a directory.
   *
   * @throws DoNotRetryIOException if it is longer than file systems allow
   */
  public static void checkDirectory(String what, String name) throws DoNotRetryIOException {
    int bytes = Bytes.utf8(name).length;
    if (bytes > DIRECTORY_BYTES_MAX) {
      throw new DoNotRetryIOException(
          what
              + " is the name of a directory and has at most "
              + DIRECTORY_BYTES_MAX
              + " bytes, not "
              + bytes);
    }
  }
}
