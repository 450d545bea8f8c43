package dev.cairn.engine.index;

import dev.cairn.engine.cell.BinaryText;
import dev.cairn.engine.cell.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The secondary indexes of a table: each an attribute {@code cairn.index.NAME} with the columns as
 * its value, {@code FAMILY:QUALIFIER}, separated by commas. Immutable.
 *
 * <p>An index of several columns has the entries of each column; two indexes of one column share
 * its entries.
 */
public final class TableIndexes {
  /** The prefix of the attributes' names. The name of the index follows. */
  public static final String PREFIX = "cairn.index.";

  /** The greatest number of columns that the indexes of a family have. */
  public static final int COLUMNS_MAX = 16;

  /** The indexes of a table without any. */
  public static final TableIndexes NONE = new TableIndexes(List.of());

  private final List<Index> all;

  private TableIndexes(List<Index> all) {
    this.all = List.copyOf(all);
  }

  /** An index by its name, with its columns in the order of the attribute. */
  public record Index(String name, List<Column> columns) {
    /** Copies the columns. */
    public Index {
      columns = List.copyOf(columns);
    }
  }

  /** A column. */
  public record Column(byte[] family, byte[] qualifier) {
    private static Column parse(String text, Collection<byte[]> families) {
      int colon = text.indexOf(':');
      if (colon < 0) {
        throw new IllegalArgumentException(
            "the column " + text + " has no family: write FAMILY:QUALIFIER");
      }
      byte[] family = Bytes.utf8(text.substring(0, colon));
      if (families.stream().noneMatch(known -> Arrays.equals(known, family))) {
        throw new IllegalArgumentException("the table has no family " + text.substring(0, colon));
      }
      return new Column(family, BinaryText.parse(text.substring(colon + 1)));
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Column that
          && Arrays.equals(family, that.family)
          && Arrays.equals(qualifier, that.qualifier);
    }

    @Override
    public int hashCode() {
      return 31 * Arrays.hashCode(family) + Arrays.hashCode(qualifier);
    }

    @Override
    public String toString() {
      return Bytes.toStringBinary(family)
          + ":"
          + Bytes.toStringBinary(qualifier).replace(",", "\\x2C").replace(" ", "\\x20");
    }
  }

  /**
   * Parses the indexes of a table.
   *
   * @param attributes all attributes of the table
   * @param families the names of its families
   * @throws IllegalArgumentException if one is malformed; the message names the index and the
   *     reason
   */
  public static TableIndexes of(Map<String, String> attributes, Collection<byte[]> families) {
    TableIndexes parsed =
        usable(
            attributes,
            families,
            problem -> {
              throw new IllegalArgumentException(problem);
            });
    for (byte[] family : families) {
      if (parsed.columns(family).count() > COLUMNS_MAX) {
        throw new IllegalArgumentException(
            "The indexes have more than "
                + COLUMNS_MAX
                + " columns of the family "
                + Bytes.toStringBinary(family));
      }
    }
    return parsed;
  }

  /**
   * Parses the indexes of a table that can be used, and leaves out the others: a server that does
   * not know indexes may have changed the table.
   *
   * @param attributes all attributes of the table
   * @param families the names of its families whose columns can be indexed
   * @param problems receives the message of each index that is left out
   */
  public static TableIndexes usable(
      Map<String, String> attributes, Collection<byte[]> families, Consumer<String> problems) {
    List<Index> indexes = new ArrayList<>();
    for (Map.Entry<String, String> attribute : new TreeMap<>(attributes).entrySet()) {
      if (attribute.getKey().startsWith(PREFIX)) {
        try {
          indexes.add(parse(attribute.getKey(), attribute.getValue(), families));
        } catch (IllegalArgumentException e) {
          problems.accept(attribute.getKey() + ": " + e.getMessage());
        }
      }
    }
    return indexes.isEmpty() ? NONE : new TableIndexes(indexes);
  }

  private static Index parse(String attribute, String value, Collection<byte[]> families) {
    String name = attribute.substring(PREFIX.length());
    if (!name.matches("[A-Za-z_][A-Za-z0-9_-]*")) {
      throw new IllegalArgumentException(
          "the name of an index begins with a letter or _, and has letters, digits, _ and - only");
    }
    List<Column> columns = new ArrayList<>();
    for (String text : value.split(",", -1)) {
      Column column = Column.parse(text.strip(), families);
      if (columns.contains(column)) {
        throw new IllegalArgumentException("it names the column " + column + " twice");
      }
      columns.add(column);
    }
    return new Index(name, columns);
  }

  /** Returns all indexes by their names. */
  public List<Index> all() {
    return all;
  }

  /** Returns the indexed columns of a family. */
  public IndexedColumns columns(byte[] family) {
    return IndexedColumns.of(
        all.stream()
            .flatMap(index -> index.columns().stream())
            .filter(column -> Arrays.equals(column.family(), family))
            .map(Column::qualifier)
            .toList());
  }
}
