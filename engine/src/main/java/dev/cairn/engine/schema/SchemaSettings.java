package dev.cairn.engine.schema;

import dev.cairn.engine.cell.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;

/**
 * The settings of a table or family under keys that otherwise stand in {@code hbase-site.xml}. The
 * order is HBase's: the family's attributes, its configuration, the table's attributes, the table's
 * configuration, which only HBase 1 wrote. The first that has a key decides. Immutable.
 */
public final class SchemaSettings {
  private final String where;
  private final List<Function<String, Optional<String>>> sources;

  private SchemaSettings(String where, List<Function<String, Optional<String>>> sources) {
    this.where = where;
    this.sources = List.copyOf(sources);
  }

  /** Returns the table's settings. */
  public static SchemaSettings of(TableSchema table) {
    return new SchemaSettings("table " + table.name(), ofTable(table));
  }

  /** Returns the settings of one family of the table. */
  public static SchemaSettings of(TableSchema table, FamilySchema family) {
    List<Function<String, Optional<String>>> sources = new ArrayList<>();
    sources.add(family::attribute);
    Map<String, String> configuration = family.configuration();
    sources.add(key -> Optional.ofNullable(configuration.get(key)));
    sources.addAll(ofTable(table));
    return new SchemaSettings(
        "family " + family.nameAsString() + " of table " + table.name(), sources);
  }

  private static List<Function<String, Optional<String>>> ofTable(TableSchema table) {
    List<HBaseProtos.NameStringPair> old = table.message().getConfigurationList();
    return List.of(
        table::attribute,
        key ->
            old.stream()
                .filter(pair -> pair.getName().equals(key))
                .map(HBaseProtos.NameStringPair::getValue)
                .findFirst());
  }

  /** Returns the text under a key. */
  public Optional<String> find(String key) {
    for (Function<String, Optional<String>> source : sources) {
      Optional<String> value = source.apply(key);
      if (value.isPresent()) {
        return value.map(String::trim);
      }
    }
    return Optional.empty();
  }

  /**
   * Returns a whole number, {@code otherwise} if nothing is said.
   *
   * @throws IllegalArgumentException if it is none from {@code least} to {@code most}
   */
  public long number(String key, long otherwise, long least, long most) {
    Optional<String> text = find(key);
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      long value = Long.parseLong(text.get());
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Said below, as for a number out of range.
    }
    throw impossible(key, text.get(), "a whole number from " + least + " to " + most);
  }

  /** As {@link #number}, of any number. */
  public double fraction(String key, double otherwise, double least, double most) {
    Optional<String> text = find(key);
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      double value = Double.parseDouble(text.get());
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Said below, as for a number out of range.
    }
    throw impossible(key, text.get(), "a number from " + least + " to " + most);
  }

  /** As {@link #number}, of a switch: true or false. */
  public boolean flag(String key, boolean otherwise) {
    Optional<String> text = find(key);
    if (text.isEmpty()) {
      return otherwise;
    }
    return switch (text.get().toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw impossible(key, text.get(), "true or false");
    };
  }

  private IllegalArgumentException impossible(String key, String text, String range) {
    return new IllegalArgumentException(
        key
            + " must be "
            + range
            + ", not <"
            + Bytes.toStringBinary(Bytes.utf8(text))
            + ">, in "
            + where);
  }
}
