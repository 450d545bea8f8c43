package dev.cairn.shell.command;

import dev.cairn.keys.KeyFormat;
import dev.cairn.shell.run.Conversions;
import dev.cairn.shell.run.Options;
import dev.cairn.shell.run.ShellException;
import dev.cairn.shell.value.Text;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.HBaseException;

/** Sets the attributes of tables from the options of {@code create} and {@code alter}. */
final class TableOptions {
  /** The constants of a table. */
  static final List<String> NAMES =
      List.of(
          "MAX_FILESIZE",
          "MEMSTORE_FLUSHSIZE",
          "READONLY",
          "COMPACTION_ENABLED",
          "SPLIT_ENABLED",
          "MERGE_ENABLED",
          "NORMALIZATION_ENABLED",
          "NORMALIZER_TARGET_REGION_COUNT",
          "NORMALIZER_TARGET_REGION_SIZE",
          "NORMALIZER_TARGET_REGION_SIZE_MB",
          "DURABILITY",
          "PRIORITY",
          "SPLIT_POLICY",
          "FLUSH_POLICY",
          "REGION_REPLICATION",
          "REGION_MEMSTORE_REPLICATION",
          "OWNER",
          "ERASURE_CODING_POLICY",
          "METADATA",
          "CONFIGURATION",
          KeyFormat.TABLE_ATTRIBUTE,
          Constraints.OPTION);

  private TableOptions() {}

  /** Tells whether an option applies to tables only, not to families. */
  static boolean has(String name) {
    return NAMES.contains(name) || isCoprocessor(name);
  }

  private static boolean isCoprocessor(String name) {
    return name.toLowerCase(Locale.ROOT).startsWith("coprocessor");
  }

  /** Returns the name under which descriptors have an attribute. */
  static String key(String name) {
    return name.equals("NORMALIZER_TARGET_REGION_SIZE") ? name + "_MB" : name;
  }

  /**
   * Sets the attributes that options name, and removes these options.
   *
   * @throws ShellException if a value is invalid
   */
  static void apply(TableDescriptorBuilder table, Options options) {
    for (String name : options.names()) {
      if (name.equals("CONFIGURATION") || name.equals("METADATA")) {
        options.texts(name).forEach(table::setValue);
      } else if (name.equals(Constraints.OPTION)) {
        options.texts(name).forEach((column, rules) -> Constraints.set(table, column, rules));
      } else if (has(name)) {
        options.letters(name).ifPresent(value -> set(table, name, value.trim()));
      }
    }
  }

  /**
   * Refuses the remaining options. For a key of a configuration, the error names its place.
   *
   * @param where the owner of the options, for the message
   */
  static void requireNoMore(Options options, String where) {
    for (String name : options.names()) {
      if (name.indexOf('.') >= 0) {
        throw new ShellException(
            where
                + " has no option "
                + name
                + "; set it by CONFIGURATION => {'"
                + name
                + "' => '...'}");
      }
    }
    options.requireNoMore(where);
  }

  @SuppressWarnings("deprecation") // no other method takes the text of a coprocessor
  private static void addCoprocessor(TableDescriptorBuilder table, String name, String value)
      throws IOException {
    try {
      table.addCoprocessorWithSpec(value);
    } catch (IllegalArgumentException e) { // its message is a regular expression
      throw new ShellException(
          name
              + " => '"
              + value
              + "' must be jar|class|priority|key=value,...; the jar is empty for a class on the"
              + " class path of the servers",
          e);
    }
  }

  private static void set(TableDescriptorBuilder table, String name, String value) {
    Text text = Text.of(value);
    try {
      if (isCoprocessor(name)) {
        addCoprocessor(table, name, value);
        return;
      }
      switch (name) {
        case "MAX_FILESIZE" -> table.setMaxFileSize(value);
        case "MEMSTORE_FLUSHSIZE" -> table.setMemStoreFlushSize(value);
        case "READONLY" -> table.setReadOnly(Conversions.bool(text, name));
        case "COMPACTION_ENABLED" -> table.setCompactionEnabled(Conversions.bool(text, name));
        case "SPLIT_ENABLED" -> table.setSplitEnabled(Conversions.bool(text, name));
        case "MERGE_ENABLED" -> table.setMergeEnabled(Conversions.bool(text, name));
        case "NORMALIZATION_ENABLED" -> table.setNormalizationEnabled(Conversions.bool(text, name));
        case "NORMALIZER_TARGET_REGION_COUNT" ->
            table.setNormalizerTargetRegionCount(Conversions.integer(text, name));
        case "NORMALIZER_TARGET_REGION_SIZE", "NORMALIZER_TARGET_REGION_SIZE_MB" ->
            table.setNormalizerTargetRegionSize(Conversions.number(text, name));
        case "PRIORITY" -> table.setPriority(Conversions.integer(text, name));
        case "REGION_REPLICATION" -> table.setRegionReplication(Conversions.integer(text, name));
        case "REGION_MEMSTORE_REPLICATION" ->
            table.setRegionMemStoreReplication(Conversions.bool(text, name));
        case "DURABILITY" -> table.setDurability(durability(value));
        case "SPLIT_POLICY" -> table.setRegionSplitPolicyClassName(value);
        case "FLUSH_POLICY" -> table.setFlushPolicyClassName(value);
        default -> table.setValue(name, value);
      }
    } catch (HBaseException | IOException e) {
      throw new ShellException(name + " => '" + value + "': " + e.getMessage(), e);
    }
  }

  private static Durability durability(String value) {
    try {
      return Durability.valueOf(value.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new ShellException(
          "DURABILITY must be one of " + List.of(Durability.values()) + ", not " + value, e);
    }
  }
}
