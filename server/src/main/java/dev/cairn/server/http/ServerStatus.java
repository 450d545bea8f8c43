package dev.cairn.server.http;

import java.util.List;

/**
 * What the status page shows, at one moment.
 *
 * @param serverName the region server's name: host, port and start time
 * @param version the version of Cairn
 * @param facts what is to be known of the server, in order: ports, data folder, start time …
 * @param regions the regions that are open here
 */
public record ServerStatus(
    String serverName, String version, List<Fact> facts, List<RegionRow> regions) {

  /**
   * One line about the server.
   *
   * @param name what it is about
   * @param value what there is to say
   */
  public record Fact(String name, String value) {}

  /**
   * One region.
   *
   * @param table its table
   * @param name its name, printable
   * @param reads reads and scans since it was opened here
   * @param writes mutations since it was opened here
   * @param storeFiles number of store files
   * @param storeFileBytes their length
   * @param memStoreBytes heap that its memstores take
   */
  public record RegionRow(
      String table,
      String name,
      long reads,
      long writes,
      int storeFiles,
      long storeFileBytes,
      long memStoreBytes) {}
}
