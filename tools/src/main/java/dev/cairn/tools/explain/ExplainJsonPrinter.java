package dev.cairn.tools.explain;

import dev.cairn.keys.KeyDisplay;
import java.io.PrintWriter;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.GsonBuilder;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/** Prints an explanation as one JSON object, with an object per region and in it one per row. */
public final class ExplainJsonPrinter implements Explainer.Listener {
  private final PrintWriter out;
  private final Gson gson = new GsonBuilder().disableHtmlEscaping().create();
  private JsonArray rows = new JsonArray();
  private String server = "";
  private boolean anyRegion;

  /** Creates a printer. */
  public ExplainJsonPrinter(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void question(ExplainQuestion question, KeyDisplay keys) {
    out.print("{\"table\":" + gson.toJson(question.table().toString()));
    keys.problem().ifPresent(problem -> out.print(",\"keyProblem\":" + gson.toJson(problem)));
    out.print(",\"regions\":[");
  }

  @Override
  public void region(JsonObject report, String name) {
    rows = new JsonArray();
    server = name;
  }

  @Override
  public void row(JsonObject row) {
    rows.add(row);
  }

  @Override
  public void regionEnds(JsonObject report) {
    report.addProperty("server", server);
    report.add("rows", rows);
    out.println(anyRegion ? "," : "");
    out.print(gson.toJson(report));
    anyRegion = true;
  }

  @Override
  public void end(boolean limitReached) {
    out.println("],\"limitReached\":" + limitReached + "}");
    out.flush();
  }
}
