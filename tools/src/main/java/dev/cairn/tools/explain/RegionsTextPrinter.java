package dev.cairn.tools.explain;

import dev.cairn.engine.scan.IndexReport.Use;
import dev.cairn.keys.KeyDisplay;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * Prints how many regions and files the indexes let a scan skip, and why, and lists regions that
 * are not skipped.
 */
public final class RegionsTextPrinter implements Explainer.Listener {
  /** The most regions that are listed. */
  private static final int LISTED_MAX = 20;

  private final PrintWriter out;
  private final List<String> listed = new ArrayList<>();
  private final Map<Use, Integer> files = new EnumMap<>(Use.class);
  private int regions;
  private int skipped;
  private int searched;
  private int read;
  private long rows;

  /** Creates a printer. */
  public RegionsTextPrinter(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void question(ExplainQuestion question, KeyDisplay keys) {
    out.println(question.title());
    question.details().forEach(fact -> out.println("  " + fact));
  }

  @Override
  public void region(JsonObject report, String server) {}

  @Override
  public void row(JsonObject row) {}

  @Override
  public void regionEnds(JsonObject report) {
    regions++;
    if (!report.has("index")) {
      read++;
      list(report, "all rows are read: the table has no index, or the scan no filter");
      return;
    }
    JsonObject index = report.getAsJsonObject("index");
    if (index.has("sources")) {
      JsonArray sources = new JsonArray();
      index
          .getAsJsonArray("sources")
          .forEach(
              source -> {
                if (source.getAsJsonObject().has("file")) {
                  sources.add(source);
                }
              });
      IndexWords.counts(sources).forEach((use, count) -> files.merge(use, count, Integer::sum));
    }
    if (!index.has("rows")) {
      read++;
      List<String> reasons = new ArrayList<>();
      for (JsonElement reason : index.getAsJsonArray("reasons")) {
        reasons.add(reason.getAsString());
      }
      list(report, "all rows are read: " + String.join("; ", reasons));
    } else if (index.has("skipsRegion") && index.get("skipsRegion").getAsBoolean()) {
      skipped++;
    } else {
      searched++;
      rows += index.get("rows").getAsLong();
      list(report, index.get("rows").getAsLong() + " rows are read");
    }
  }

  private void list(JsonObject report, String words) {
    if (listed.size() < LISTED_MAX) {
      listed.add(report.get("region").getAsString() + ": " + words);
    }
  }

  @Override
  public void end(boolean limitReached) {
    out.println();
    out.println("Regions of the scan: " + regions);
    out.println("  skipped by indexes: " + skipped);
    out.println("  searched by indexes: " + searched + ", in which " + rows + " rows are read");
    out.println("  all rows are read: " + read);
    if (!files.isEmpty()) {
      out.println("Indexes in files: " + files.values().stream().mapToInt(count -> count).sum());
      files.forEach((use, count) -> out.println("  " + IndexWords.reason(use) + ": " + count));
    }
    if (!listed.isEmpty()) {
      out.println("Regions that are not skipped");
      listed.forEach(line -> out.println("  " + line));
      int more = searched + read - listed.size();
      if (more > 0) {
        out.println("  and " + more + " more");
      }
    }
    out.flush();
  }
}
