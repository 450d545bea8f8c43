package dev.cairn.server.http;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * The facts about a server and its process, at one moment.
 *
 * @param serverName the region server's name: host, port and start time
 * @param version the version of Cairn
 * @param facts facts about the server, in order: ports, data folder, start time …
 * @param timeMillis the server's time, milliseconds since 1970
 * @param session the timeout that ZooKeeper has given the server's session; empty before there is
 *     one
 */
public record ServerStatus(
    String serverName,
    String version,
    List<Fact> facts,
    long timeMillis,
    Optional<Duration> session) {

  /**
   * One line about the server.
   *
   * @param name its subject
   * @param value its value
   */
  public record Fact(String name, String value) {}

  /**
   * Returns the server's name, time and session timeout as one JSON object: {@code
   * {"server":"host,16020,1","timeMillis":1,"sessionMillis":40000}}; without a session, the timeout
   * is absent.
   */
  String node() {
    JsonObject node = new JsonObject();
    node.addProperty("server", serverName);
    node.addProperty("timeMillis", timeMillis);
    session.ifPresent(timeout -> node.addProperty("sessionMillis", timeout.toMillis()));
    return node.toString();
  }
}
