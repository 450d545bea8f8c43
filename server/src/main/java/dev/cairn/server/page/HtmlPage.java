package dev.cairn.server.page;

import dev.cairn.server.page.PageInfo.MenuGroup;
import java.util.List;

/** Renders a page as HTML that works without scripts. Stateless. */
final class HtmlPage {
  private final Html html = new Html();
  private final PageRequest request;
  private final Frame frame;
  private final String root;

  private HtmlPage(PageRequest request, Frame frame, String root) {
    this.request = request;
    this.frame = frame;
    this.root = root;
  }

  /**
   * Renders a page.
   *
   * @param menu all pages
   * @param root the relative address of the overview from the address of the request: {@code ""} or
   *     some {@code "../"}
   */
  static String render(
      Page page, List<PageInfo> menu, PageRequest request, Frame frame, String root) {
    HtmlPage writer = new HtmlPage(request, frame, root);
    writer.head(page);
    writer.header();
    writer.menu(menu);
    writer.main(page);
    writer.footer();
    return writer.html.toString();
  }

  private void head(Page page) {
    html.markup("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
        .markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
        .markup("<meta name=\"color-scheme\" content=\"light dark\">")
        .element("title", page.title() + " – Cairn " + frame.server())
        .open("link", "rel", "stylesheet", "href", root + "static/cairn.css")
        .open("link", "rel", "icon", "href", root + "static/cairn.svg")
        .open("script", "src", root + "static/cairn.js", "defer", "defer")
        .close("script");
    page.sections().stream()
        .filter(Figure.class::isInstance)
        .map(figure -> ((Figure) figure).script())
        .distinct()
        .forEach(
            script ->
                html.open("script", "src", root + "static/" + script, "defer", "defer")
                    .close("script"));
    html.markup("</head>\n<body><a class=\"skip\" href=\"#main\">Skip to the content</a>\n");
  }

  private void header() {
    html.markup("<header class=\"top\">")
        .open("a", "class", "brand", "href", root.isEmpty() ? "." : root)
        .markup("<img alt=\"\" width=\"28\" height=\"28\" src=\"")
        .markup(root)
        .markup("static/cairn.svg\"><span>Cairn</span></a>");
    html.markup("<span class=\"who\">");
    frame.roles().forEach(role -> html.element("span", role, "class", "role"));
    html.element("code", frame.server()).close("span");
    html.markup("<span class=\"right\">");
    if (!frame.version().isEmpty()) {
      html.element("span", "Version " + frame.version(), "class", "version");
    }
    html.open("a", "href", root + "health", "class", "state " + frame.health().level().word())
        .text("Health: " + frame.health().word())
        .close("a")
        .markup("</span></header>\n");
  }

  private void menu(List<PageInfo> menu) {
    html.markup("<div class=\"body\"><nav class=\"menu\" aria-label=\"Pages\">");
    for (MenuGroup group : MenuGroup.values()) {
      List<PageInfo> pages =
          menu.stream().filter(page -> page.group() == group && page.isInMenu()).toList();
      if (!pages.isEmpty()) {
        html.element("h2", group.title()).markup("<ul>");
        pages.forEach(this::menuItem);
        html.markup("</ul>");
      }
    }
    html.markup("</nav>\n");
  }

  private void menuItem(PageInfo page) {
    boolean here = page.id().equals(request.page());
    boolean first = page.id().equals(PageInfo.OVERVIEW);
    String address = first ? root.isEmpty() ? "." : root : root + page.id();
    html.markup("<li>")
        .open("a", "href", address, "aria-current", here ? "page" : "")
        .text(page.title())
        .close("a", "li");
  }

  private void main(Page page) {
    html.markup("<main id=\"main\" tabindex=\"-1\">").element("h1", page.title());
    page.sections().forEach(section -> write(section));
    html.markup("</main></div>\n");
  }

  private void write(Section section) {
    if (section instanceof ActionForm form) {
      form.write(html, root);
    } else {
      HtmlSection.write(html, section, request);
    }
  }

  private void footer() {
    html.markup("<footer><span>As of ")
        .element("time", Value.time(frame.timeMillis()).shown(), "id", "as-of")
        .markup(" UTC</span>");
    if (!request.page().isEmpty()) {
      PageRequest json = new PageRequest("api/v1/" + request.page(), request.parameters());
      html.open("a", "href", root + json.address()).markup("This page as JSON</a>");
    }
    html.markup("</footer></body></html>\n");
  }
}
