package dev.cairn.server.metrics;

import dev.cairn.engine.schema.TableName;
import java.util.List;

/**
 * The part of a record's subject that a value describes.
 *
 * @param prefix HBase's prefix of the metric's name
 * @param labels the same, as labels
 */
public record Scope(String prefix, List<Label> labels) {
  /** The whole subject. */
  public static final Scope ALL = new Scope("", List.of());

  /** Returns the labels of a table. */
  public static List<Label> labels(TableName table) {
    return List.of(
        new Label("namespace", table.namespace()), new Label("table", table.qualifier()));
  }

  /** Returns HBase's words for a table. */
  public static String words(TableName table) {
    return "Namespace_" + table.namespace() + "_table_" + table.qualifier();
  }

  /** Returns the scope of one table. */
  public static Scope table(TableName table) {
    return new Scope(words(table) + "_metric_", labels(table));
  }

  /**
   * Returns the scope of one region.
   *
   * @param encodedName the region's short name
   */
  public static Scope region(TableName table, String encodedName) {
    List<Label> ofTable = labels(table);
    return new Scope(
        words(table) + "_region_" + encodedName + "_metric_",
        List.of(ofTable.get(0), ofTable.get(1), new Label("region", encodedName)));
  }

  /**
   * Returns the scope of one method.
   *
   * @param prefix HBase's prefix of the metric's name
   */
  public static Scope method(String prefix, String method) {
    return new Scope(prefix, List.of(new Label("method", method)));
  }

  /**
   * A label of a time series.
   *
   * @param name letters, digits and underscores
   * @param value any text
   */
  public record Label(String name, String value) {}
}
