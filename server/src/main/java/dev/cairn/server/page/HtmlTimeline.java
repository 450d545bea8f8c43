package dev.cairn.server.page;

import java.util.List;

/** Draws events on a time line: one row for each lane, as a picture without a script. */
final class HtmlTimeline {
  private static final int WIDTH = 960;
  private static final int LABEL = 110;
  private static final int LANE = 26;
  private static final int MARKS = 6;

  private HtmlTimeline() {}

  static void write(Html html, Timeline timeline) {
    HtmlSection.open(html, timeline.id(), timeline.title());
    if (timeline.events().isEmpty()) {
      html.markup("<p>There are no events yet.</p></section>\n");
      return;
    }
    List<String> lanes =
        timeline.events().stream().map(Timeline.Event::lane).distinct().sorted().toList();
    int height = lanes.size() * LANE + 24;
    html.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", "Events")
        .open(
            "svg",
            "class",
            "timeline",
            "viewBox",
            "0 0 " + WIDTH + " " + height,
            "role",
            "img",
            "aria-label",
            timeline.events().size() + " events; the table below lists them");
    for (int i = 0; i < lanes.size(); i++) {
      String y = Integer.toString(i * LANE + 17);
      html.element("text", lanes.get(i), "x", "0", "y", y);
      html.open("line", "x1", "" + LABEL, "x2", "" + WIDTH, "y1", line(i), "y2", line(i))
          .close("line");
    }
    marks(html, timeline, height);
    timeline.events().forEach(event -> event(html, timeline, event, lanes.indexOf(event.lane())));
    html.markup("</svg></div></section>\n");
  }

  private static String line(int lane) {
    return Integer.toString(lane * LANE + 13);
  }

  private static long place(Timeline timeline, long millis) {
    long span = Math.max(1, timeline.toMillis() - timeline.fromMillis());
    long within = Math.max(0, Math.min(span, millis - timeline.fromMillis()));
    return LABEL + within * (WIDTH - LABEL - 10) / span;
  }

  private static void marks(Html html, Timeline timeline, int height) {
    for (int i = 0; i < MARKS; i++) {
      long millis =
          timeline.fromMillis() + (timeline.toMillis() - timeline.fromMillis()) * i / MARKS;
      String time = Value.time(millis).shown();
      html.element(
          "text",
          time.isEmpty() ? "" : time.substring(11),
          "class",
          "mark",
          "x",
          Long.toString(place(timeline, millis)),
          "y",
          Integer.toString(height - 4));
    }
  }

  private static void event(Html html, Timeline timeline, Timeline.Event event, int lane) {
    long x = place(timeline, event.startMillis());
    long width = Math.max(6, place(timeline, event.endMillis()) - x);
    html.open(
            "rect",
            "class",
            event.level().word(),
            "x",
            Long.toString(x),
            "y",
            Integer.toString(lane * LANE + 7),
            "width",
            Long.toString(width),
            "height",
            "12",
            "rx",
            "3")
        .element("title", Value.time(event.startMillis()).shown() + " " + event.what())
        .close("rect");
  }
}
