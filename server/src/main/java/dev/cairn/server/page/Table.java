package dev.cairn.server.page;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * A table with columns of one kind each. Only the rows that a request selects become values: those
 * of one page, and of the sorted column. Parameters: {@code ID.sort=COLUMN}, with a minus before
 * the column for the largest first; {@code ID.filter=TEXT}; {@code ID.page=NUMBER}; {@code
 * ID.size=ROWS}.
 *
 * @param <R> the type of rows
 */
public final class Table<R> implements Section {

  /**
   * The rows of a table that a request selects.
   *
   * @param rows the values of the shown rows
   * @param total how many rows the table has
   * @param matching how many of them match the filter
   * @param page the number of the shown page, from 1
   * @param pages how many pages the matching rows have, at least 1
   * @param size the most rows of a page
   * @param sort the id of the column that orders the rows; empty for the table's own order
   * @param descending whether the largest come first
   * @param filter the text that the rows must contain; empty for all rows
   */
  public record TableSlice(
      List<List<Value>> rows,
      int total,
      int matching,
      int page,
      int pages,
      int size,
      String sort,
      boolean descending,
      String filter) {}

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

  /** The default number of rows on a page. */
  public static final int SIZE = 50;

  /** The most rows of a page. It limits the memory of responses that clients read slowly. */
  public static final int SIZE_MAX = 1000;

  private final String id;
  private final String title;
  private final List<R> rows;
  private final List<Column<R>> columns;
  private final String order;
  private final String empty;

  private Table(Builder<R> builder) {
    this.id = builder.id;
    this.title = builder.title;
    this.rows = builder.rows;
    this.columns = List.copyOf(builder.columns);
    this.order = builder.order;
    this.empty = builder.empty;
  }

  /**
   * Begins a table.
   *
   * @param id its name in JSON and in parameters
   * @param title its heading
   * @param rows its rows in their natural order
   */
  public static <R> Builder<R> of(String id, String title, Collection<R> rows) {
    return new Builder<>(id, title, rows);
  }

  /** Collects the columns. */
  public static final class Builder<R> {
    private final String id;
    private final String title;
    private final List<R> rows;
    private final List<Column<R>> columns = new ArrayList<>();
    private String order = "";
    private String empty = "There are none.";

    private Builder(String id, String title, Collection<R> rows) {
      Ids.check(id);
      this.id = id;
      this.title = title;
      this.rows = List.copyOf(rows);
    }

    /** Adds a column. */
    public Builder<R> column(String name, String heading, Kind kind, Function<R, Value> value) {
      columns.add(new Column<>(name, heading, kind, value));
      return this;
    }

    /** Adds a column of words. */
    public Builder<R> text(String name, String heading, Function<R, String> value) {
      return column(name, heading, Kind.TEXT, row -> Value.text(value.apply(row)));
    }

    /** Adds a column of whole numbers. */
    public Builder<R> count(String name, String heading, Function<R, ? extends Number> value) {
      return column(name, heading, Kind.COUNT, row -> Value.count(value.apply(row).longValue()));
    }

    /** Adds a column of sizes in bytes. */
    public Builder<R> bytes(String name, String heading, Function<R, ? extends Number> value) {
      return column(name, heading, Kind.BYTES, row -> Value.bytes(value.apply(row).longValue()));
    }

    /** Adds a column of moments, milliseconds since 1970; 0 for none. */
    public Builder<R> time(String name, String heading, Function<R, Long> value) {
      return column(name, heading, Kind.TIME, row -> Value.time(value.apply(row)));
    }

    /** Adds a column of time spans in milliseconds. */
    public Builder<R> millis(String name, String heading, Function<R, Long> value) {
      return column(name, heading, Kind.MILLIS, row -> Value.millis(value.apply(row)));
    }

    /**
     * Orders the rows by a column by default.
     *
     * @param sort as in {@code ID.sort}: the largest first after a minus
     */
    public Builder<R> sortedBy(String sort) {
      order = sort;
      return this;
    }

    /** Sets the sentence that replaces an empty table. */
    public Builder<R> whenEmpty(String sentence) {
      empty = sentence;
      return this;
    }

    /** Returns the table. */
    public Table<R> build() {
      return new Table<>(this);
    }
  }

  /** Returns the table's name in JSON and in parameters. */
  public String id() {
    return id;
  }

  /** Returns the heading. */
  public String title() {
    return title;
  }

  /** Returns the columns. */
  public List<Column<R>> columns() {
    return columns;
  }

  /** Returns the sentence that replaces an empty table. */
  public String empty() {
    return empty;
  }

  /** Returns the rows that a request selects. Wrong parameters are ignored. */
  public TableSlice slice(PageRequest request) {
    String filter = request.parameter(id + ".filter").orElse("").strip();
    String sort = request.parameter(id + ".sort").filter(wanted -> find(wanted) >= 0).orElse(order);
    int size = number(request, id + ".size", SIZE, SIZE_MAX);
    List<R> matching = filter.isEmpty() ? rows : matching(filter.toLowerCase(Locale.ROOT));
    int pages = Math.max(1, (matching.size() + size - 1) / size);
    int page = number(request, id + ".page", 1, pages);
    int from = (page - 1) * size;
    List<List<Value>> shown =
        sorted(matching, sort).subList(from, Math.min(matching.size(), from + size)).stream()
            .map(row -> columns.stream().map(column -> column.value().apply(row)).toList())
            .toList();
    return new TableSlice(
        shown,
        rows.size(),
        matching.size(),
        page,
        pages,
        size,
        column(sort),
        sort.startsWith("-"),
        filter);
  }

  private static int number(PageRequest request, String name, int absent, int max) {
    String text = request.parameter(name).orElse("");
    return text.matches("[1-9][0-9]{0,8}") ? Math.min(max, Integer.parseInt(text)) : absent;
  }

  private static String column(String sort) {
    return sort.startsWith("-") ? sort.substring(1) : sort;
  }

  private int find(String sort) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).id().equals(column(sort))) {
        return i;
      }
    }
    return -1;
  }

  private List<R> matching(String wanted) {
    List<Column<R>> words = columns.stream().filter(one -> !one.kind().isNumber()).toList();
    return rows.stream()
        .filter(
            row ->
                words.stream()
                    .anyMatch(
                        column ->
                            column
                                .value()
                                .apply(row)
                                .shown()
                                .toLowerCase(Locale.ROOT)
                                .contains(wanted)))
        .toList();
  }

  /** A row with the value that orders it. */
  private record Keyed<R>(Value key, R row) {}

  private List<R> sorted(List<R> all, String sort) {
    int index = find(sort);
    if (index < 0) {
      return all;
    }
    Function<R, Value> key = columns.get(index).value();
    Comparator<Value> order = Value.ORDER;
    if (sort.startsWith("-")) { // absent values stay last
      order =
          Comparator.comparing((Value value) -> value.bare().equals(Value.NONE))
              .thenComparing(Value.ORDER.reversed());
    }
    Comparator<Value> rule = order;
    return all.stream()
        .map(row -> new Keyed<>(key.apply(row), row))
        .sorted((a, b) -> rule.compare(a.key(), b.key()))
        .map(Keyed::row)
        .toList();
  }
}
