package dev.cairn.server.http;

import dev.cairn.server.health.HealthReport;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Renders a server's status and health as one self-contained HTML page. Stateless. */
final class StatusPage {
  private static final String STYLE =
      """
      body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:#222}
      h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}
      table{border-collapse:collapse;width:100%}td,th{padding:.3rem .6rem;border-bottom:1px solid #ddd;text-align:left}
      td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
      td.bar{width:14rem}td.bar span{display:block;height:.8rem;background:#4a7fb5}
      tr.warn td{background:#fff3d6}tr.fail td{background:#fbdcdc}
      code{word-break:break-all}
      """;

  private StatusPage() {}

  /** Returns the page. */
  static String render(ServerStatus status, HealthReport health) {
    StringBuilder html = new StringBuilder(4096);
    html.append("<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Cairn ")
        .append(escape(status.serverName()))
        .append("</title><style>")
        .append(STYLE)
        .append("</style></head><body><h1>Cairn ")
        .append(escape(status.version()))
        .append("</h1><table>");
    for (ServerStatus.Fact fact : status.facts()) {
      html.append("<tr><th>")
          .append(escape(fact.name()))
          .append("</th><td><code>")
          .append(escape(fact.value()))
          .append("</code></td></tr>");
    }
    html.append("</table>");
    health(html, health);
    html.append("<h2>Regions, busiest first</h2>");
    regions(html, status.regions());
    return html.append("</body></html>").toString();
  }

  private static void health(StringBuilder html, HealthReport health) {
    html.append("<h2>Health: ").append(health.status().word()).append("</h2><table>");
    for (HealthReport.Entry check : health.checks()) {
      String status = check.result().status().word();
      html.append("<tr class=\"").append(status).append("\"><th>").append(escape(check.name()));
      html.append("</th><td>").append(status).append("</td><td>");
      html.append(escape(check.result().message())).append("</td></tr>");
    }
    html.append("</table>");
  }

  private static void regions(StringBuilder html, List<ServerStatus.RegionRow> regions) {
    long most = regions.stream().mapToLong(StatusPage::requests).max().orElse(0);
    html.append(
        "<table><tr><th>Table</th><th>Region</th><th class=\"n\">Reads</th><th class=\"n\">Writes</th>"
            + "<th>Share of the busiest</th><th class=\"n\">Files</th><th class=\"n\">On disk</th>"
            + "<th class=\"n\">In memory</th></tr>");
    regions.stream()
        .sorted(Comparator.comparingLong(StatusPage::requests).reversed())
        .forEach(
            region -> {
              html.append("<tr><td>").append(escape(region.table())).append("</td><td><code>");
              html.append(escape(region.name())).append("</code></td>");
              number(html, Long.toString(region.reads()));
              number(html, Long.toString(region.writes()));
              html.append("<td class=\"bar\"><span style=\"width:")
                  .append(most == 0 ? 0 : requests(region) * 100 / most)
                  .append("%\"></span></td>");
              number(html, Integer.toString(region.storeFiles()));
              number(html, size(region.storeFileBytes()));
              number(html, size(region.memStoreBytes()));
              html.append("</tr>");
            });
    html.append("</table>");
  }

  private static long requests(ServerStatus.RegionRow region) {
    return region.reads() + region.writes();
  }

  private static void number(StringBuilder html, String text) {
    html.append("<td class=\"n\">").append(text).append("</td>");
  }

  private static String size(long bytes) {
    return bytes < 1024
        ? bytes + " B"
        : bytes < 1 << 20
            ? String.format(Locale.ROOT, "%.1f KiB", bytes / 1024.0)
            : String.format(Locale.ROOT, "%.1f MiB", bytes / 1048576.0);
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
