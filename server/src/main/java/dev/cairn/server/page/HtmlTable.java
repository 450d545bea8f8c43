package dev.cairn.server.page;

import dev.cairn.server.page.Table.Column;
import dev.cairn.server.page.Table.TableSlice;
import java.util.List;
import java.util.Map;

/** Renders the selected rows of a table, with links that sort it and turn its pages. */
final class HtmlTable {
  /** A table with fewer rows needs no filter. */
  private static final int FILTERED_ROWS = 10;

  private HtmlTable() {}

  static void write(Html html, Table<?> table, PageRequest request) {
    TableSlice slice = table.slice(request);
    html.open("section", "class", "card", "id", table.id(), "data-live", table.id());
    html.open("h2", "id", table.id() + "-title").text(table.title());
    html.element("span", Value.count(slice.total()).shown(), "class", "number").close("h2");
    if (slice.total() > FILTERED_ROWS || !slice.filter().isEmpty()) {
      filter(html, table, slice, request);
    }
    if (slice.matching() == 0) {
      html.element("p", slice.total() == 0 ? table.empty() : "No row contains the filter's text.");
    } else {
      rows(html, table, slice, request);
      pager(html, table, slice, request);
    }
    html.markup("</section>\n");
  }

  private static void filter(Html html, Table<?> table, TableSlice slice, PageRequest request) {
    String name = table.id() + ".filter";
    html.open("form", "class", "filter", "method", "get", "role", "search")
        .markup("<label>Filter ")
        .open("input", "type", "search", "name", name, "value", slice.filter())
        .markup("</label>");
    for (Map.Entry<String, String> other : request.parameters().entrySet()) {
      if (!other.getKey().equals(name) && !other.getKey().equals(table.id() + ".page")) {
        html.open("input", "type", "hidden", "name", other.getKey(), "value", other.getValue());
      }
    }
    html.markup("<button>Filter</button>");
    if (!slice.filter().isEmpty()) {
      html.element("span", Value.count(slice.matching()).shown() + " match")
          .element("a", "Show all", "href", request.with(name, "").address());
    }
    html.markup("</form>");
  }

  private static void rows(Html html, Table<?> table, TableSlice slice, PageRequest request) {
    String label = table.id() + "-title";
    html.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-labelledby", label)
        .markup("<table>")
        .element("caption", caption(table, slice), "class", "unseen")
        .markup("<thead><tr>");
    for (Column<?> column : table.columns()) {
      heading(html, table, column, slice, request);
    }
    html.markup("</tr></thead><tbody>\n");
    for (List<Value> row : slice.rows()) {
      html.markup("<tr>");
      for (int i = 0; i < row.size(); i++) {
        String style = style(table.columns().get(i));
        html.open(i == 0 ? "th" : "td", "class", style, "scope", i == 0 ? "row" : "");
        HtmlValue.write(html, row.get(i));
        html.close(i == 0 ? "th" : "td");
      }
      html.markup("</tr>\n");
    }
    html.markup("</tbody></table></div>");
  }

  private static String caption(Table<?> table, TableSlice slice) {
    String text = table.title() + ": " + slice.rows().size() + " of " + slice.matching() + " rows";
    return slice.sort().isEmpty()
        ? text
        : text + ", sorted by " + title(table, slice.sort()) + (slice.descending() ? ", down" : "");
  }

  private static String title(Table<?> table, String column) {
    return table.columns().stream()
        .filter(one -> one.id().equals(column))
        .map(Column::title)
        .findFirst()
        .orElse(column);
  }

  private static String style(Column<?> column) {
    return column.kind().isNumber() && column.kind() != Kind.TIME ? "n" : "";
  }

  private static void heading(
      Html html, Table<?> table, Column<?> column, TableSlice slice, PageRequest request) {
    boolean sorts = column.id().equals(slice.sort());
    // The first click on a number asks for the largest ones.
    boolean down = sorts ? !slice.descending() : column.kind().isNumber();
    html.open(
            "th",
            "scope",
            "col",
            "class",
            style(column),
            "aria-sort",
            sorts ? slice.descending() ? "descending" : "ascending" : "")
        .open(
            "a",
            "href",
            request
                .with(table.id() + ".page", "")
                .with(table.id() + ".sort", (down ? "-" : "") + column.id())
                .address(),
            "data-sort",
            column.id())
        .text(column.title())
        .close("a", "th");
  }

  private static void pager(Html html, Table<?> table, TableSlice slice, PageRequest request) {
    if (slice.pages() == 1) {
      return;
    }
    html.open("nav", "class", "pager", "aria-label", "Pages of " + table.title());
    turn(html, table, slice, request, 1, "First");
    turn(html, table, slice, request, slice.page() - 1, "Previous");
    html.element("span", "Page " + slice.page() + " of " + slice.pages());
    turn(html, table, slice, request, slice.page() + 1, "Next");
    turn(html, table, slice, request, slice.pages(), "Last");
    html.close("nav");
  }

  private static void turn(
      Html html, Table<?> table, TableSlice slice, PageRequest request, int page, String name) {
    if (page >= 1 && page <= slice.pages() && page != slice.page()) {
      PageRequest target = request.with(table.id() + ".page", Integer.toString(page));
      html.element("a", name, "href", target.address());
    }
  }
}
