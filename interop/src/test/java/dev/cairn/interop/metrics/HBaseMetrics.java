package dev.cairn.interop.metrics;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/** The list of Apache HBase 2.6.4's metrics, and the reasons for those that Cairn does not have. */
final class HBaseMetrics {
  private static final String COUNT = "_num_ops";

  /**
   * A metric with placeholders for names of tables, regions and families.
   *
   * @param bean the name and the part of the server, such as {@code RegionServer/WAL}
   */
  record Attribute(String bean, String name) implements Comparable<Attribute> {
    @Override
    public int compareTo(Attribute other) {
      int beans = bean.compareTo(other.bean);
      return beans == 0 ? name.compareTo(other.name) : beans;
    }
  }

  /** Why metrics are absent. */
  record Absent(Pattern bean, Pattern name, String reason) {
    boolean matches(Attribute attribute) {
      return bean.matcher(attribute.bean()).matches() && name.matcher(attribute.name()).matches();
    }
  }

  private HBaseMetrics() {}

  /** Returns HBase's metrics. */
  static Set<Attribute> all() {
    Set<Attribute> all = new TreeSet<>();
    lines("hbase-2.6.4.txt").forEach(line -> all.add(new Attribute(line[0], line[1])));
    return all;
  }

  /** Returns the reasons for those that are absent. */
  static List<Absent> absent() {
    return lines("absent.txt")
        .map(line -> new Absent(Pattern.compile(line[0]), Pattern.compile(line[1]), line[2]))
        .toList();
  }

  private static Stream<String[]> lines(String file) {
    try (InputStream in = HBaseMetrics.class.getResourceAsStream("/metrics/" + file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\t"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the metrics of a page of beans; a histogram is one of them. */
  static Set<Attribute> of(String json) {
    Set<Attribute> found = new TreeSet<>();
    for (JsonElement element :
        JsonParser.parseString(json).getAsJsonObject().getAsJsonArray("beans")) {
      JsonObject bean = element.getAsJsonObject();
      String name = bean.get("modelerType").getAsString().replace(",sub=", "/");
      Set<String> names = bean.keySet();
      for (Map.Entry<String, JsonElement> attribute : bean.entrySet()) {
        String own = attribute.getKey();
        if (own.equals("name") || own.equals("modelerType")) {
          continue;
        }
        if (own.endsWith(COUNT)) {
          own = own.substring(0, own.length() - COUNT.length());
        } else if (names.stream().anyMatch(other -> isFigure(attribute.getKey(), other))) {
          continue;
        }
        found.add(new Attribute(general(name), general(own)));
      }
    }
    return found;
  }

  /** Tells whether an attribute is a figure of the histogram that has a count. */
  private static boolean isFigure(String attribute, String count) {
    return count.endsWith(COUNT)
        && attribute.startsWith(count.substring(0, count.length() - COUNT.length() + 1))
        && attribute.matches(".*_(min|max|mean|median|[0-9.]+th_percentile|\\w+RangeCount_.*)");
  }

  private static String general(String name) {
    return name.replaceAll("Namespace_[^_]+_table_(meta|namespace|measured)", "Namespace_N_table_T")
        .replaceAll("_region_[0-9a-f]+_", "_region_R_");
  }
}
