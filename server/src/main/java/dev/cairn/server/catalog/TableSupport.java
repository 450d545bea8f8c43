package dev.cairn.server.catalog;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;

/**
 * Finds the tables that HBase can serve and this server cannot: those whose files it would read
 * wrongly or not at all, and those whose writes HBase would pass to code that does not run here.
 * Such a table stays on disk as it is.
 *
 * @param coprocessors whether tables' coprocessors run, as {@code hbase.coprocessor.enabled} and
 *     {@code hbase.coprocessor.user.enabled} say; if not, a table that names some is served without
 *     them, by HBase too
 * @param files throws {@link IllegalArgumentException} for a table whose files the engine could not
 *     write
 */
public record TableSupport(boolean coprocessors, Consumer<TableSchema> files) {
  /** HBase's endpoint for changes of several rows, which every region here has anyway. */
  public static final String MULTI_ROW_MUTATION =
      "org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint";

  /**
   * Coprocessors that only answer calls of their own: without them reads and writes are the same.
   */
  private static final Set<String> WITHOUT_HOOKS =
      Set.of(
          MULTI_ROW_MUTATION,
          "org.apache.hadoop.hbase.coprocessor.AggregateImplementation",
          "org.apache.hadoop.hbase.coprocessor.Export",
          "org.apache.hadoop.hbase.security.token.TokenProvider");

  /** Returns the classes of the coprocessors that the table names. */
  public static List<String> coprocessors(TableSchema schema) {
    List<String> classes = new ArrayList<>();
    for (HBaseProtos.BytesBytesPair pair : schema.message().getAttributesList()) {
      if (pair.getFirst().toStringUtf8().toLowerCase(Locale.ROOT).startsWith("coprocessor$")) {
        classes.add(coprocessorClass(pair.getSecond().toStringUtf8()));
      }
    }
    return classes;
  }

  /** Tells whether reads and writes are the same with that coprocessor and without it. */
  public static boolean isWithoutHooks(String coprocessor) {
    return WITHOUT_HOOKS.contains(coprocessor);
  }

  /** Returns why the table cannot be served, a sentence for people; empty if it can. */
  public Optional<String> refusal(TableSchema schema) {
    return hooks(schema)
        .or(() -> schema.families().stream().flatMap(family -> family(family).stream()).findFirst())
        .or(() -> engine(schema));
  }

  private Optional<String> hooks(TableSchema schema) {
    if (!coprocessors) {
      return Optional.empty();
    }
    return coprocessors(schema).stream()
        .filter(className -> !isWithoutHooks(className))
        .findFirst()
        .map(
            className ->
                "it has the coprocessor "
                    + className
                    + ", which is not run here: reads and writes might come out otherwise. Serve it"
                    + " with Apache HBase, or without its coprocessors, by"
                    + " hbase.coprocessor.user.enabled=false");
  }

  /** The value has the form {@code jar|class|priority|arguments}. */
  private static String coprocessorClass(String value) {
    String[] parts = value.split("\\|", -1);
    return parts.length > 1 ? parts[1].trim() : value;
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
