package dev.cairn.server.catalog;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Finds the tables that HBase can serve and this server cannot: those whose files it would read
 * wrongly or not at all, and those whose coprocessors cannot run here. Such a table stays on disk
 * as it is.
 *
 * @param hooks returns why a table's coprocessors cannot run here; empty if they can
 * @param files throws {@link IllegalArgumentException} for a table whose files the engine could not
 *     write
 */
public record TableSupport(
    Function<TableSchema, Optional<String>> hooks, Consumer<TableSchema> files) {
  /** HBase's endpoint for changes of several rows, which every region here has anyway. */
  public static final String MULTI_ROW_MUTATION =
      "org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint";

  /** Returns why the table cannot be served, a sentence for people; empty if it can. */
  public Optional<String> refusal(TableSchema schema) {
    return hooks
        .apply(schema)
        .or(() -> schema.families().stream().flatMap(family -> family(family).stream()).findFirst())
        .or(() -> engine(schema));
  }

  private static Optional<String> family(FamilySchema family) {
    String where = "the column family " + family.nameAsString();
    if (family.attribute("ENCRYPTION").filter(value -> !value.isEmpty()).isPresent()) {
      return Optional.of(
          where
              + " is encrypted, and its files cannot be read here. With Apache HBase, remove"
              + " ENCRYPTION and run a major compaction");
    }
    return Optional.empty();
  }

  private Optional<String> engine(TableSchema schema) {
    try {
      files.accept(schema);
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(e.getMessage());
    }
  }
}
