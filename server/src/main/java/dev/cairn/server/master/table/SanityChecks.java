package dev.cairn.server.master.table;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;

/**
 * HBase's checks for valid but probably unintended values, with HBase's messages. {@code
 * hbase.table.sanity.checks} turns them off for the site or a table. Thread-safe.
 */
final class SanityChecks {
  private static final long FLUSH_SIZE_MIN = 1024 * 1024;
  private static final long FILE_SIZE_MIN = 2 * 1024 * 1024;
  private static final int BLOCK_SIZE_MIN = 1024;
  private static final int BLOCK_SIZE_MAX = 16 * 1024 * 1024;

  /** {@code REPLICATION_SCOPE} of cells that are replicated to other clusters. */
  private static final int SCOPE_MAX = 1;

  private static final String BYPASS =
      " Set hbase.table.sanity.checks to false at conf or table descriptor if you want to bypass"
          + " sanity checks";

  private SanityChecks() {}

  /**
   * Checks a table, unless the checks are turned off.
   *
   * @throws DoNotRetryIOException naming the attribute, and how to turn the checks off
   */
  static void check(TableSchema schema, SchemaRules rules) throws IOException {
    if (!rules.checks(schema)) {
      return;
    }
    Optional<CoprocessorVerdicts.Refusal> refusal = rules.hooks().refusal(schema);
    if (refusal.isPresent()) { // without the check, a table that is not served would not work
      throw new DoNotRetryIOException(
          refusal.get().reason() + "." + (refusal.get().isServed() ? BYPASS : ""));
    }
    checkSize(
        schema,
        "MAX_FILESIZE",
        FILE_SIZE_MIN,
        "MAX_FILESIZE for table descriptor or \"hbase.hregion.max.filesize\" (%d) is too small,"
            + " which might cause over splitting into unmanageable number of regions.");
    checkSize(
        schema,
        "MEMSTORE_FLUSHSIZE",
        FLUSH_SIZE_MIN,
        "MEMSTORE_FLUSHSIZE for table descriptor or \"hbase.hregion.memstore.flush.size\" (%d) is"
            + " too small, which might cause very frequent flushing.");
    for (FamilySchema family : schema.families()) {
      checkFamily(family);
    }
  }

  private static void checkSize(TableSchema schema, String key, long least, String problem)
      throws IOException {
    // HBase's clients write a size that was not set as -1.
    long bytes = number(schema.attribute(key)).orElse(-1L);
    if (bytes >= 0 && bytes < least) {
      throw new DoNotRetryIOException(problem.formatted(bytes) + BYPASS);
    }
  }

  private static void checkFamily(FamilySchema family) throws IOException {
    String name = family.nameAsString();
    if (family.blockSize() < BLOCK_SIZE_MIN || family.blockSize() > BLOCK_SIZE_MAX) {
      throw new DoNotRetryIOException(
          "Block size for column family " + name + "  must be between 1K and 16MB." + BYPASS);
    }
    long scope = number(family.attribute("REPLICATION_SCOPE")).orElse(0L);
    if (scope < 0 || scope > SCOPE_MAX) {
      throw new DoNotRetryIOException(
          "Replication scope for column family "
              + name
              + " is "
              + scope
              + " which is invalid."
              + BYPASS);
    }
    if (number(family.attribute("DFS_REPLICATION")).orElse(0L) < 0) {
      throw new DoNotRetryIOException(
          "HFile Replication for column family " + name + "  must be greater than zero." + BYPASS);
    }
  }

  /**
   * Checks a family for numbers that no server can use, before they are parsed.
   *
   * @throws DoNotRetryIOException in HBase's words
   */
  static void checkNumbers(HBaseProtos.ColumnFamilySchema family) throws DoNotRetryIOException {
    String name = family.getName().toStringUtf8();
    if (number(attribute(family, "TTL")).orElse(1L) <= 0) {
      throw new DoNotRetryIOException("TTL for column family " + name + " must be positive.");
    }
    long least = number(attribute(family, "MIN_VERSIONS")).orElse(0L);
    if (least < 0) {
      throw new DoNotRetryIOException(
          "Min versions for column family " + name + "  must be positive.");
    }
    if (least > number(attribute(family, "VERSIONS")).orElse(1L)) {
      throw new DoNotRetryIOException(
          "Min versions for column family " + name + " must be less than the Max versions.");
    }
  }

  private static Optional<String> attribute(HBaseProtos.ColumnFamilySchema family, String key) {
    return family.getAttributesList().stream()
        .filter(pair -> pair.getFirst().toStringUtf8().equals(key))
        .map(pair -> pair.getSecond().toStringUtf8())
        .findFirst();
  }

  /** Ignores values that are not numbers; the readers of the attribute check them. */
  private static Optional<Long> number(Optional<String> text) {
    try {
      return text.map(String::trim).map(Long::parseLong);
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
