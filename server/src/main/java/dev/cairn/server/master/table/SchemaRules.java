package dev.cairn.server.master.table;

import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.catalog.SchemaReview;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.split.SplitPolicies;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checks of a table's descriptor when the table is created or changed.
 *
 * @param engine throws {@link IllegalArgumentException} for a table whose files the engine cannot
 *     write
 * @param checksSizes whether unwise values are refused, such as sizes that would overload the
 *     server
 * @param splits the split policies of tables
 * @param review finds attributes without effect
 * @param tracker the store file tracker of new tables that do not name one
 * @param metaReplicas the number of copies of {@code hbase:meta}; empty for that of its descriptor
 * @param hooks decides whether a table's coprocessors can run
 */
public record SchemaRules(
    Consumer<TableSchema> engine,
    boolean checksSizes,
    SplitPolicies splits,
    SchemaReview review,
    StoreFileTracking.Kind tracker,
    OptionalInt metaReplicas,
    CoprocessorVerdicts hooks) {
  /** {@code hbase.table.sanity.checks}. */
  public static final ConfigKey<Boolean> SANITY_CHECKS =
      ConfigKey.flag(
          "hbase.table.sanity.checks",
          true,
          "Whether the server refuses tables with unwise values: a coprocessor that cannot run, a far"
              + " too small MEMSTORE_FLUSHSIZE or MAX_FILESIZE, a BLOCKSIZE outside 1 KB to 16 MB, a"
              + " REPLICATION_SCOPE other than 0 and 1, a negative DFS_REPLICATION. A table can"
              + " override it with an attribute of the same name.");

  /**
   * Creates the rules of a site that does not set the number of copies of {@code hbase:meta}, and
   * whose servers can run any coprocessor.
   */
  public SchemaRules(
      Consumer<TableSchema> engine,
      boolean checksSizes,
      SplitPolicies splits,
      SchemaReview review,
      StoreFileTracking.Kind tracker) {
    this(
        engine,
        checksSizes,
        splits,
        review,
        tracker,
        OptionalInt.empty(),
        CoprocessorVerdicts.ALL_RUN);
  }

  private static final Logger LOG = LoggerFactory.getLogger(SchemaRules.class);

  /** Tells whether {@link #SANITY_CHECKS} is on for a table. */
  boolean checks(TableSchema schema) {
    return checksSizes
        && schema.attribute(SANITY_CHECKS.name()).map(Boolean::parseBoolean).orElse(true);
  }

  /**
   * Examines the coprocessors of a table for a later {@linkplain TableDescriptorChecker#check
   * check}, unless the checks are off. May wait, so not for the master's loop.
   *
   * @throws IOException if that is not possible now
   */
  public void examine(TableSchema schema) throws IOException {
    if (checks(schema)) {
      hooks.examine(schema);
    }
  }

  /**
   * Logs the attributes of {@code wanted} that have no effect, unless {@code present} has them
   * already. HBase's protocol cannot return warnings to the client.
   */
  public void warn(TableSchema wanted, Optional<TableSchema> present) {
    List<String> warnings = new ArrayList<>(review.warnings(wanted));
    present.map(review::warnings).ifPresent(warnings::removeAll);
    warnings.forEach(warning -> LOG.warn("Table {}: {}", wanted.name(), warning));
  }
}
