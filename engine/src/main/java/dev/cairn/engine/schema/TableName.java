package dev.cairn.engine.schema;

import java.util.regex.Pattern;

/**
 * A table's name: a namespace and a qualifier.
 *
 * @param namespace letters, digits and underscores
 * @param qualifier letters, digits, underscores, hyphens and periods; begins with neither of the
 *     last two
 */
public record TableName(String namespace, String qualifier) implements Comparable<TableName> {
  /** The namespace of tables that name none. */
  public static final String DEFAULT_NAMESPACE = "default";

  /** The namespace of the server's own tables. */
  public static final String SYSTEM_NAMESPACE = "hbase";

  // Before META, which is checked against them.
  private static final Pattern NAMESPACE = Pattern.compile("[\\p{IsAlphabetic}\\p{IsDigit}_]+");
  private static final Pattern QUALIFIER =
      Pattern.compile("[\\p{IsAlphabetic}\\p{IsDigit}_][\\p{IsAlphabetic}\\p{IsDigit}_.-]*");

  /** The catalog of all regions. */
  public static final TableName META = new TableName(SYSTEM_NAMESPACE, "meta");

  /**
   * Checks both parts.
   *
   * @throws IllegalArgumentException if a part is empty or has a character that is not allowed
   */
  public TableName {
    if (!NAMESPACE.matcher(namespace).matches()) {
      throw new IllegalArgumentException(
          "Illegal namespace <" + namespace + ">: letters, digits and underscores only");
    }
    if (!QUALIFIER.matcher(qualifier).matches()) {
      throw new IllegalArgumentException(
          "Illegal table name <"
              + qualifier
              + ">: letters, digits, underscores, hyphens and periods only, beginning with"
              + " neither of the last two");
    }
  }

  /** Reads {@code namespace:qualifier}, or a qualifier alone for the default namespace. */
  public static TableName parse(String name) {
    int colon = name.indexOf(':');
    return colon < 0
        ? new TableName(DEFAULT_NAMESPACE, name)
        : new TableName(name.substring(0, colon), name.substring(colon + 1));
  }

  /** Tells whether this is {@code hbase:meta}. */
  public boolean isMeta() {
    return equals(META);
  }

  // Written out, as in every record that a start compares: Java makes those of records from method
  // handles, anew in each process, which takes some milliseconds.
  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof TableName that
            && qualifier.equals(that.qualifier)
            && namespace.equals(that.namespace);
  }

  @Override
  public int hashCode() {
    return 31 * namespace.hashCode() + qualifier.hashCode();
  }

  @Override
  public int compareTo(TableName other) {
    if (this == other) {
      return 0;
    }
    int order = namespace.compareTo(other.namespace);
    return order != 0 ? order : qualifier.compareTo(other.qualifier);
  }

  /** Returns the name as clients write it: without the default namespace. */
  @Override
  public String toString() {
    return namespace.equals(DEFAULT_NAMESPACE) ? qualifier : namespace + ":" + qualifier;
  }
}
