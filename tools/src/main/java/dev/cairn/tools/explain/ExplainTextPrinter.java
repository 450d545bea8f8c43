package dev.cairn.tools.explain;

import dev.cairn.keys.KeyDisplay;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/** Prints an explanation as tables for people. */
public final class ExplainTextPrinter implements Explainer.Listener {
  private final PrintWriter out;
  private ExplainQuestion question;
  private boolean rowsTold;

  /** The rows of the region to which the scan came, and those of them that gave nothing. */
  private long rowsRead;

  private long rowsEmpty;

  /** By family: its properties, and the labels of its memstores and files in this text. */
  private final Map<String, Family> families = new HashMap<>();

  private record Family(FateWords words, List<String> places) {}

  /** The labels of the region's files in this text, by the names of the files. */
  private final Map<String, String> files = new HashMap<>();

  /** Creates a printer. */
  public ExplainTextPrinter(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void question(ExplainQuestion asked, KeyDisplay keys) {
    question = asked;
    keys.problem().ifPresent(problem -> out.println("Warning: " + problem + "."));
    out.println(asked.title());
    asked.details().forEach(fact -> out.println("  " + fact));
  }

  @Override
  public void region(JsonObject report, String server) {
    out.println();
    out.println("Region " + report.get("region").getAsString() + " on " + server);
    families.clear();
    files.clear();
    rowsTold = false;
    rowsRead = 0;
    rowsEmpty = 0;
    for (JsonElement element : report.getAsJsonArray("families")) {
      JsonObject family = element.getAsJsonObject();
      List<String> places = new ArrayList<>();
      for (JsonElement source : family.getAsJsonArray("sources")) {
        if (source.getAsJsonObject().has("file")) {
          String label = "file " + (files.size() + 1);
          places.add(label);
          files.put(source.getAsJsonObject().get("file").getAsString(), label);
        } else {
          boolean active = isActive(source.getAsJsonObject());
          places.add(active ? "memstore" : "memstore (flushing)");
        }
      }
      families.put(
          family.get("name").getAsString(),
          new Family(
              new FateWords(
                  family,
                  question.scan().getMaxVersions(),
                  question.scan().isRaw(),
                  report.get("now").getAsLong(),
                  places::get),
              places));
      out.println("  family " + rules(family));
    }
  }

  private static boolean isActive(JsonObject source) {
    return source.get("memstore").getAsString().equals("active");
  }

  private static String rules(JsonObject family) {
    StringBuilder text = new StringBuilder(family.get("name").getAsString());
    text.append(": VERSIONS => ").append(family.get("versions").getAsInt());
    if (family.get("minVersions").getAsInt() > 0) {
      text.append(", MIN_VERSIONS => ").append(family.get("minVersions").getAsInt());
    }
    text.append(", TTL => ");
    text.append(
        family.has("ttlMillis") ? family.get("ttlMillis").getAsLong() / 1000 + " s" : "FOREVER");
    text.append(", KEEP_DELETED_CELLS => ").append(family.get("keepDeletedCells").getAsString());
    if (family.get("newVersionBehavior").getAsBoolean()) {
      text.append(", NEW_VERSION_BEHAVIOR: the later write wins, not the later timestamp");
    }
    return text.toString();
  }

  @Override
  public void row(JsonObject row) {
    JsonObject counts = row.getAsJsonObject("counts");
    long all = counts.entrySet().stream().mapToLong(e -> e.getValue().getAsLong()).sum();
    long returned = counts.has("RETURNED") ? counts.get("RETURNED").getAsLong() : 0;
    rowsTold = true;
    if (row.get("read").getAsBoolean()) {
      rowsRead++;
      rowsEmpty += returned == 0 ? 1 : 0;
    }
    out.println();
    out.printf(
        Locale.ROOT,
        "Row %s%s: %d of %d %s returned%s%n",
        row.get("row").getAsString(),
        row.has("key") ? " {" + row.get("key").getAsString() + "}" : "",
        returned,
        all,
        all == 1 ? "cell" : "cells",
        row.get("read").getAsBoolean() ? "" : "; the scan did not come to it");
    TextTable table = new TextTable();
    table.add("COLUMN", "TIMESTAMP", "TYPE", "WRITE", "IN", "WHAT BECAME OF IT");
    int told = 0;
    for (JsonElement element : row.getAsJsonArray("cells")) {
      JsonObject cell = element.getAsJsonObject();
      Family family = families.get(cell.get("family").getAsString());
      long sequence = cell.get("sequence").getAsLong();
      table.add(
          cell.get("family").getAsString() + ":" + cell.get("qualifier").getAsString(),
          Long.toString(cell.get("timestamp").getAsLong()),
          cell.get("type").getAsString(),
          sequence == 0 ? "-" : Long.toString(sequence),
          family.places().get(cell.get("source").getAsInt()),
          family.words().say(cell));
      told++;
    }
    table.print("  ", out);
    if (told < all) {
      out.println("  and " + (all - told) + " cells more (--max-cells)");
    }
    out.flush();
  }

  @Override
  public void regionEnds(JsonObject report) {
    out.println();
    if (!rowsTold) {
      out.println(
          question.row().isPresent()
              ? "This row has no cell: it was never written, or a flush or compaction has"
                  + " dropped its cells."
              : "This region has no row of the request.");
      out.println();
    }
    out.println("What was read in the region, as of write " + report.get("readPoint").getAsLong());
    TextTable table = new TextTable();
    for (JsonElement element : report.getAsJsonArray("families")) {
      JsonObject family = element.getAsJsonObject();
      List<String> places = families.get(family.get("name").getAsString()).places();
      int i = 0;
      for (JsonElement source : family.getAsJsonArray("sources")) {
        source(family.get("name").getAsString(), places.get(i++), source.getAsJsonObject(), table);
      }
    }
    table.print("  ", out);
    if (report.get("filterEnded").getAsBoolean()) {
      out.println("  The filter ended the scan: later rows were not looked at.");
    }
    if (report.get("rowsNotListed").getAsBoolean()) {
      out.println("  There are more rows to which the scan did not come; they are not listed.");
    }
    if (report.has("index")) {
      index(report.getAsJsonObject("index"));
    }
    // HBase's counters have a row that ends the scan by its key as filtered, and not as scanned.
    out.printf(
        Locale.ROOT,
        "  Rows looked at: %d, of which %d gave nothing. Cells looked at: %d, with %d seeks.%n",
        rowsRead,
        rowsEmpty,
        report.get("cellsLookedAt").getAsLong(),
        report.get("seeks").getAsLong());
    out.printf(
        Locale.ROOT,
        "  Blocks: %d from the cache, %d from disk (%d bytes in %.1f ms). All took %.1f ms, with"
            + " explaining.%n",
        report.get("blocksFromCache").getAsLong(),
        report.get("blocksFromDisk").getAsLong(),
        report.get("bytesFromDisk").getAsLong(),
        report.get("diskNanos").getAsLong() / 1e6,
        report.get("nanos").getAsLong() / 1e6);
    if (report.has("hookNanos")) {
      out.printf(
          Locale.ROOT,
          "  Coprocessors took %.1f ms of them, in the hooks that open a scan and in their scanners.%n",
          report.get("hookNanos").getAsLong() / 1e6);
    }
    if (report.has("coprocessors")) {
      out.println(
          "  The region has coprocessors. Hooks of calls (preScannerNext, postScannerNext) and of gets"
              + " were not called: they may change what a client gets.");
    }
    out.flush();
  }

  private void index(JsonObject index) {
    String condition = index.get("condition").getAsString();
    if (index.has("rows")) {
      out.printf(
          Locale.ROOT,
          "  Index: taken. It gives %d rows for %s; without an explanation, the scan reads only"
              + " these.%n",
          index.get("rows").getAsLong(),
          condition);
    } else {
      out.println("  Index: not taken. Condition of the filter: " + condition + ".");
    }
    for (JsonElement reason : index.getAsJsonArray("reasons")) {
      out.println("    " + reason.getAsString() + ".");
    }
    new IndexWords(index, files).print(out);
  }

  private static void source(String family, String place, JsonObject source, TextTable table) {
    boolean file = source.has("file");
    long cells = source.get("cells").getAsLong();
    String contents =
        cells + (cells == 1 ? " cell, " : " cells, ") + source.get("bytes").getAsLong() + " bytes";
    table.add(
        family,
        place,
        file ? source.get("file").getAsString() : "",
        contents,
        file ? use(source) : memory(source));
  }

  private static String memory(JsonObject source) {
    return source.get("cells").getAsLong() == 0 ? "empty" : "read";
  }

  private static String use(JsonObject source) {
    return switch (source.get("use").getAsString()) {
      case "READ" -> {
        long cache = source.get("blocksFromCache").getAsLong();
        long disk = source.get("blocksFromDisk").getAsLong();
        yield String.format(
            Locale.ROOT,
            "read: %d %s from the cache, %d from disk",
            cache,
            cache == 1 ? "block" : "blocks",
            disk);
      }
      case "EMPTY" -> "not read: it has no cells";
      case "OUTSIDE_ROWS" ->
          "not read: it has only rows from "
              + source.get("firstRow").getAsString()
              + " to "
              + source.get("lastRow").getAsString();
      case "OUTSIDE_TIMES" ->
          "not read: it has only timestamps from "
              + source.get("minTimestamp").getAsLong()
              + " to "
              + source.get("maxTimestamp").getAsLong();
      default ->
          "not read: its Bloom filter ("
              + source.get("bloom").getAsString()
              + ") knows that nothing of what is asked for is in it";
    };
  }

  @Override
  public void end(boolean limitReached) {
    if (limitReached) {
      out.println();
      out.println("The limit of rows is reached; later rows were not looked at (--limit).");
    }
    out.flush();
  }
}
