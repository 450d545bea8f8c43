package dev.cairn.server.page;

import dev.cairn.server.page.Facts.Fact;
import dev.cairn.server.page.Section.Notice;
import dev.cairn.server.page.Section.TextBlock;
import dev.cairn.server.page.Section.Tiles;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Renders the sections of a page. Stateless. */
final class HtmlSection {
  private HtmlSection() {}

  static void write(Html html, Section section, PageRequest request) {
    if (section instanceof Table<?> table) {
      HtmlTable.write(html, table, request);
    } else if (section instanceof Tiles tiles) {
      tiles(html, tiles);
    } else if (section instanceof Facts facts) {
      facts(html, facts);
    } else if (section instanceof Timeline timeline) {
      HtmlTimeline.write(html, timeline);
    } else if (section instanceof TextBlock block) {
      block(html, block);
    } else if (section instanceof Figure figure) {
      figure(html, figure);
    } else if (section instanceof Notice notice) {
      html.open("p", "class", "notice " + notice.level().word(), "role", "status")
          .text(notice.text())
          .close("p");
    }
  }

  private static void tiles(Html html, Tiles tiles) {
    html.open("dl", "class", "tiles", "id", tiles.id(), "data-live", tiles.id());
    for (Fact tile : tiles.tiles()) {
      html.open("div", "class", "tile" + level(tile.value())).element("dt", tile.title());
      html.markup("<dd>");
      HtmlValue.write(html, tile.value());
      html.markup("</dd></div>");
    }
    html.markup("</dl>\n");
  }

  private static String level(Value value) {
    return value.bare() instanceof Value.State state ? " " + state.level().word() : "";
  }

  private static void facts(Html html, Facts facts) {
    open(html, facts.id(), facts.title());
    html.markup("<dl class=\"facts\">");
    for (Fact fact : facts.facts()) {
      html.markup("<div>").element("dt", fact.title()).markup("<dd>");
      HtmlValue.write(html, fact.value());
      html.markup("</dd></div>");
    }
    html.markup("</dl></section>\n");
  }

  private static void block(Html html, TextBlock block) {
    open(html, block.id(), block.title());
    html.open("pre", "tabindex", "0", "role", "region", "aria-label", block.title())
        .text(block.text())
        .markup("</pre></section>\n");
  }

  private static void figure(Html html, Figure figure) {
    List<String> attributes =
        new ArrayList<>(List.of("class", "figure", "data-figure", figure.drawing()));
    new TreeMap<>(figure.data())
        .forEach((name, value) -> attributes.addAll(List.of("data-" + name, value)));
    html.open("section", "class", "card", "id", figure.id())
        .element("h2", figure.title())
        .open("figure", attributes.toArray(String[]::new))
        .element("figcaption", figure.description());
    if (!figure.image().isEmpty()) {
      html.markup("<noscript>")
          .open("img", "src", figure.image(), "alt", figure.title())
          .markup("</noscript>");
    }
    html.markup("</figure></section>\n");
  }

  /** Opens a section that the script refreshes. */
  static void open(Html html, String id, String title) {
    html.open("section", "class", "card", "id", id, "data-live", id).element("h2", title);
  }
}
