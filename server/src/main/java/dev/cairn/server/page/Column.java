package dev.cairn.server.page;

import java.util.function.Function;

/**
 * A column of a table.
 *
 * @param id its name in JSON and in {@code TABLE.sort}
 * @param title its heading
 * @param kind the kind of its values
 * @param value reads the value of a row
 * @param <R> the type of rows
 */
public record Column<R>(String id, String title, Kind kind, Function<R, Value> value) {
  /** Checks the id. */
  public Column {
    Ids.check(id);
  }
}
