package dev.cairn.tools.bulk.format;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The columns of a TSV file, in the notation of HBase's {@code importtsv}: {@code
 * HBASE_ROW_KEY,f:q,…}, with {@code HBASE_TS_KEY} for a timestamp.
 *
 * @param fields in the order of the file; the row is among them once, the timestamp at most once
 */
public record TsvColumns(List<Field> fields) {
  private static final String ROW_KEY = "HBASE_ROW_KEY";
  private static final String TIMESTAMP_KEY = "HBASE_TS_KEY";

  /** The meaning of a field. */
  public sealed interface Field {
    /** The row's key. */
    record Row() implements Field {}

    /** The timestamp of all cells of the line, in milliseconds. */
    record Timestamp() implements Field {}

    /** A cell's value. */
    record Value(byte[] family, byte[] qualifier) implements Field {}
  }

  /** Checks the fields. */
  public TsvColumns {
    fields = List.copyOf(fields);
    if (fields.stream().filter(Field.Row.class::isInstance).count() != 1) {
      throw new IllegalArgumentException("the columns must name " + ROW_KEY + " once");
    }
    if (fields.stream().filter(Field.Timestamp.class::isInstance).count() > 1) {
      throw new IllegalArgumentException("the columns name " + TIMESTAMP_KEY + " twice");
    }
    if (fields.stream().noneMatch(Field.Value.class::isInstance)) {
      throw new IllegalArgumentException("the columns name no column of the table, such as f:q");
    }
  }

  /**
   * Parses the notation.
   *
   * @throws IllegalArgumentException if the text does not follow the notation
   */
  public static TsvColumns parse(String text) {
    List<Field> fields = new ArrayList<>();
    for (String name : text.split(",", -1)) {
      fields.add(field(name.strip()));
    }
    return new TsvColumns(fields);
  }

  private static Field field(String name) {
    if (name.equals(ROW_KEY)) {
      return new Field.Row();
    }
    if (name.equals(TIMESTAMP_KEY)) {
      return new Field.Timestamp();
    }
    if (name.startsWith("HBASE_")) {
      throw new IllegalArgumentException(
          name + " is not supported: only " + ROW_KEY + " and " + TIMESTAMP_KEY + " are");
    }
    int colon = name.indexOf(':');
    String family = colon < 0 ? name : name.substring(0, colon);
    if (family.isEmpty()) {
      throw new IllegalArgumentException("\"" + name + "\" is no column: write FAMILY:QUALIFIER");
    }
    return new Field.Value(
        family.getBytes(StandardCharsets.UTF_8),
        (colon < 0 ? "" : name.substring(colon + 1)).getBytes(StandardCharsets.UTF_8));
  }
}
