package dev.cairn.tools.explain;

import dev.cairn.engine.scan.IndexReport.Use;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.Map;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/** Explains what a search of indexes did in the memstores and files of a region. */
final class IndexWords {
  /** The most memstores and files that are listed; of more, only the counts are shown. */
  private static final int LISTED_MAX = 20;

  private final JsonObject index;
  private final Map<String, String> files;

  /**
   * Creates the words for a region.
   *
   * @param index the part of the report about indexes
   * @param files the labels of files by their names
   */
  IndexWords(JsonObject index, Map<String, String> files) {
    this.index = index;
    this.files = files;
  }

  /** Prints the use of each memstore and file, or counts of them if there are many. */
  void print(PrintWriter out) {
    if (!index.has("sources")) {
      return; // of an earlier version
    }
    JsonArray sources = index.getAsJsonArray("sources");
    if (sources.size() > LISTED_MAX) {
      counts(sources)
          .forEach((use, count) -> out.println("    " + count + " x " + reason(use) + "."));
    } else {
      TextTable table = new TextTable();
      for (JsonElement element : sources) {
        JsonObject source = element.getAsJsonObject();
        table.add(source.get("column").getAsString(), place(source), words(source));
      }
      table.print("    ", out);
    }
    if (index.get("skipsRegion").getAsBoolean()) {
      out.println("    So the region is skipped: no row of it is read.");
    }
  }

  private String place(JsonObject source) {
    if (!source.has("file")) {
      return "memstore";
    }
    String name = source.get("file").getAsString();
    return files.getOrDefault(name, name);
  }

  private static String words(JsonObject source) {
    Use use = use(source);
    return use == Use.SEARCHED
        ? "searched: it has " + source.get("entries").getAsLong() + " entries"
        : reason(use);
  }

  static Use use(JsonObject source) {
    return Use.valueOf(source.get("use").getAsString());
  }

  /** Returns how many of the sources have each use. */
  static Map<Use, Integer> counts(JsonArray sources) {
    Map<Use, Integer> counts = new EnumMap<>(Use.class);
    for (JsonElement source : sources) {
      counts.merge(use(source.getAsJsonObject()), 1, Integer::sum);
    }
    return counts;
  }

  static String reason(Use use) {
    return switch (use) {
      case SEARCHED -> "searched";
      case NOT_NEEDED -> "not searched: it was not needed";
      case OUTSIDE_ROWS -> "skipped: it has no row of the scan";
      case OUTSIDE_TIMES -> "skipped: it has no timestamp of the time range";
      case OUTSIDE_VALUES -> "skipped: no wanted value is between its least and its greatest one";
      case NOT_IN_BLOOM_FILTER -> "skipped: its Bloom filter excludes the wanted values";
    };
  }
}
