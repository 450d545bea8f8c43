package dev.cairn.server.page;

/** Renders values. Stateless. */
final class HtmlValue {
  private static final int BAR_WIDTH = 48;

  /** Names up to this length are not broken into lines. */
  private static final int WHOLE_MAX = 40;

  private HtmlValue() {}

  static void write(Html html, Value value) {
    if (value instanceof Value.Link link) {
      String page = link.page().equals(PageInfo.OVERVIEW) ? "" : link.page();
      html.open("a", "href", PageRequest.address(page, link.parameters()));
      write(html, link.label());
      html.close("a");
    } else if (value instanceof Value.WebLink link) {
      html.open("a", "href", link.target().toString(), "rel", "noreferrer");
      write(html, link.label());
      html.close("a");
    } else if (value instanceof Value.State state) {
      html.element("span", state.word(), "class", "state " + state.level().word());
    } else if (value instanceof Value.Text text && text.kind() == Kind.NAME) {
      html.element(
          "code", text.text(), "class", text.text().length() <= WHOLE_MAX ? "whole" : "long");
    } else if (value instanceof Value.Amount amount) {
      amount(html, amount);
    } else if (value instanceof Value.None) {
      html.markup("<span class=\"none\">–</span>");
    } else {
      html.text(value.shown());
    }
  }

  private static void amount(Html html, Value.Amount amount) {
    if (amount.kind() == Kind.TIME) {
      html.element("time", amount.shown(), "datetime", Format.iso(amount.number()));
      return;
    }
    html.text(amount.shown());
    if (amount.kind() == Kind.RATIO) {
      long width = Math.round(Math.max(0, Math.min(1, amount.number())) * BAR_WIDTH);
      html.markup("<svg class=\"bar\" width=\"48\" height=\"6\" aria-hidden=\"true\">")
          .markup("<rect class=\"rail\" width=\"48\" height=\"6\" rx=\"3\"/>")
          .open("rect", "width", Long.toString(width), "height", "6", "rx", "3")
          .markup("</rect></svg>");
    }
  }
}
