package dev.cairn.tools.top;

import dev.cairn.tools.top.ClusterTraffic.Count;
import dev.cairn.tools.top.ClusterTraffic.Row;
import dev.cairn.tools.top.ClusterTraffic.Sort;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes traffic as lines of text. Stateless. */
public final class TopText {
  private static final String[] UNITS = {"", "k", "M", "G", "T"};

  /** The fewest lines of a section, even on a low screen. */
  private static final int SECTION_MIN = 2;

  private static final String START = "(start of the table)";

  private TopText() {}

  /**
   * Returns the lines.
   *
   * @param width the characters of a line at most
   * @param height the lines at most; {@link Integer#MAX_VALUE} for all
   */
  public static List<String> lines(ClusterTraffic traffic, Sort sort, int width, int height) {
    List<String> lines = new ArrayList<>();
    traffic.problems().forEach(problem -> lines.add("! " + problem));
    int left = height == Integer.MAX_VALUE ? height : Math.max(0, height - lines.size());
    int share = left == Integer.MAX_VALUE ? left : Math.max(SECTION_MIN, left / 5 - 2);
    rows("SERVERS", sort.sorted(traffic.servers()), share, lines);
    rows("TABLES", sort.sorted(traffic.tables()), share, lines);
    rows("REGIONS", sort.sorted(traffic.regions()), share, lines);
    counts("HOT ROWS", named(traffic.rows()), share, lines);
    counts("HOT PREFIXES", named(traffic.prefixes()), share, lines);
    counts("CALLERS", traffic.callers(), share, lines);
    return lines.stream()
        .limit(height)
        .map(line -> line.length() <= width ? line : line.substring(0, Math.max(0, width)))
        .toList();
  }

  /** Names the empty key, at which scans of whole tables begin. */
  private static List<Count> named(List<Count> keys) {
    return keys.stream()
        .map(
            one ->
                one.name().isEmpty()
                    ? new Count(START, one.place(), "", one.perSecond(), one.error())
                    : one)
        .toList();
  }

  private static void rows(String title, List<Row> rows, int max, List<String> lines) {
    lines.add(
        String.format(
            Locale.ROOT,
            "%-44s %8s %8s %8s %8s %8s %8s",
            title,
            "reads/s",
            "writes/s",
            "rows/s",
            "bytes/s",
            "cpu ms/s",
            "errors/s"));
    rows.stream()
        .limit(max)
        .forEach(
            row ->
                lines.add(
                    String.format(
                            Locale.ROOT,
                            "%-44s %8s %8s %8s %8s %8s %8s  %s",
                            cut(row.name(), 44),
                            number(row.reads()),
                            number(row.writes()),
                            number(row.rows()),
                            number(row.bytes()),
                            number(row.nanos() / 1e6),
                            number(row.errors()),
                            row.place())
                        .stripTrailing()));
    lines.add("");
  }

  private static void counts(String title, List<Count> counts, int max, List<String> lines) {
    lines.add(String.format(Locale.ROOT, "%-44s %8s %8s", title, "calls/s", "error"));
    counts.stream()
        .limit(max)
        .forEach(
            one ->
                lines.add(
                    String.format(
                            Locale.ROOT,
                            "%-44s %8s %8s  %s%s",
                            cut(one.name(), 44),
                            number(one.perSecond()),
                            number(one.error()),
                            one.place(),
                            one.parts().isEmpty() ? "" : " {" + one.parts() + "}")
                        .stripTrailing()));
    lines.add("");
  }

  private static String cut(String text, int max) {
    return text.length() <= max ? text : text.substring(0, max - 1) + "…";
  }

  /** Returns a number in at most six characters. */
  static String number(double value) {
    double left = value;
    int unit = 0;
    while (left >= 999.5 && unit < UNITS.length - 1) {
      left /= 1_000;
      unit++;
    }
    boolean whole = unit == 0 && left >= 99.95 || left == 0;
    return String.format(Locale.ROOT, whole ? "%.0f%s" : "%.1f%s", left, UNITS[unit]);
  }
}
