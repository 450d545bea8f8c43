package dev.cairn.server.page;

import dev.cairn.server.page.Facts.Fact;
import dev.cairn.server.page.Section.Notice;
import dev.cairn.server.page.Section.TextBlock;
import dev.cairn.server.page.Section.Tiles;
import dev.cairn.server.page.Table.Column;
import dev.cairn.server.page.Table.TableSlice;
import java.util.List;
import java.util.stream.Collectors;

/** Renders a page as plain text, for dumps that people send along. Stateless. */
public final class TextPage {
  private TextPage() {}

  /** Returns the text of a page, with the rows that a request selects. */
  public static String render(Page page, PageRequest request) {
    StringBuilder text = new StringBuilder();
    text.append("=== ").append(page.title()).append(" ===\n\n");
    for (Section section : page.sections()) {
      if (section instanceof Tiles tiles) {
        facts(text, "", tiles.tiles());
      } else if (section instanceof Facts facts) {
        facts(text, facts.title(), facts.facts());
      } else if (section instanceof TextBlock block) {
        text.append(block.title()).append(":\n").append(block.text()).append("\n\n");
      } else if (section instanceof Notice notice) {
        text.append(notice.text()).append("\n\n");
      } else if (section instanceof Table<?> table) {
        table(text, table, table.slice(request));
      }
    }
    return text.toString();
  }

  private static void facts(StringBuilder text, String title, List<Fact> facts) {
    text.append(title.isEmpty() ? "" : title + ":\n");
    for (Fact fact : facts) {
      text.append(fact.title()).append(": ").append(line(fact.value())).append('\n');
    }
    text.append('\n');
  }

  private static void table(StringBuilder text, Table<?> table, TableSlice slice) {
    text.append(table.title()).append(" (").append(slice.matching()).append("):\n");
    text.append(
            table.columns().stream()
                .map(Column::title)
                .collect(Collectors.joining(" | ", "", "\n")))
        .append(
            slice.rows().stream()
                .map(row -> row.stream().map(TextPage::line).collect(Collectors.joining(" | ")))
                .collect(Collectors.joining("\n")))
        .append("\n\n");
  }

  private static String line(Value value) {
    return value.shown().replace('\n', ' ');
  }
}
