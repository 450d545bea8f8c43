package dev.cairn.tools.top;

import org.apache.hbase.thirdparty.com.google.gson.Gson;

/** Writes traffic as one JSON object, with the names of {@link ClusterTraffic}. Stateless. */
public final class TopJson {
  private TopJson() {}

  /** Returns the object. */
  public static String of(ClusterTraffic traffic) {
    return new Gson().toJson(traffic);
  }
}
