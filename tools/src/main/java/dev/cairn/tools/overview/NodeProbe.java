package dev.cairn.tools.overview;

import dev.cairn.server.health.HealthReport;
import dev.cairn.server.health.HealthStatus;
import dev.cairn.tools.overview.ClusterOverview.Node;
import dev.cairn.tools.overview.ClusterOverview.Role;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/**
 * Probes one server: connects to it under its name, as a client does, and reads its clock, session
 * and health from its web page.
 *
 * @param infoPort the port of its web page; 0 if it has none
 * @param regions the number of its regions; empty for a master
 * @param patience the timeout of each connection and answer
 */
record NodeProbe(
    Role role, ServerName name, int infoPort, Optional<Integer> regions, Duration patience)
    implements Callable<Node> {
  private static final int ANSWER_MAX = 1 << 20;

  @Override
  public Node call() {
    Optional<String> unreachable = connect();
    if (infoPort <= 0) {
      return node(unreachable, Optional.empty(), Optional.empty(), "unknown: no web page");
    }
    try {
      long sent = System.currentTimeMillis();
      JsonObject node = JsonParser.parseString(get("/node")).getAsJsonObject();
      long own = (sent + System.currentTimeMillis()) / 2;
      String answering = node.get("server").getAsString();
      if (role == Role.BACKUP_MASTER && !answering.equals(name.getServerName())) {
        return node(
            unreachable,
            Optional.empty(),
            Optional.empty(),
            "unknown: port " + infoPort + " is that of another server, " + answering);
      }
      return node(
          unreachable,
          Optional.of(node.get("timeMillis").getAsLong() - own),
          Optional.ofNullable(node.get("sessionMillis")).map(value -> value.getAsLong()),
          health(HealthReport.parse(get("/health?format=json"))));
    } catch (IOException
        | JsonParseException
        | IllegalStateException
        | IllegalArgumentException
        | NullPointerException e) {
      return node(
          unreachable,
          Optional.empty(),
          Optional.empty(),
          "unknown: its web page at port " + infoPort + " does not answer: " + reason(e));
    }
  }

  private static String health(HealthReport report) {
    return report.status() == HealthStatus.OK
        ? HealthStatus.OK.word()
        : report.status().word() + ": " + report.problems();
  }

  private Node node(
      Optional<String> unreachable, Optional<Long> skew, Optional<Long> session, String health) {
    return new Node(role, name.getServerName(), regions, unreachable, skew, session, health);
  }

  /** Returns why a client cannot connect; empty if it can. */
  private Optional<String> connect() {
    InetSocketAddress address = new InetSocketAddress(name.getHostname(), name.getPort());
    if (address.isUnresolved()) {
      return Optional.of("the name " + name.getHostname() + " is unknown");
    }
    try (Socket socket = new Socket()) {
      socket.connect(address, Math.toIntExact(patience.toMillis()));
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(address + ": " + reason(e));
    }
  }

  private String get(String path) throws IOException {
    URI page = URI.create("http://" + name.getHostname() + ":" + infoPort + path);
    HttpURLConnection connection = (HttpURLConnection) page.toURL().openConnection(Proxy.NO_PROXY);
    connection.setConnectTimeout(Math.toIntExact(patience.toMillis()));
    connection.setReadTimeout(Math.toIntExact(patience.toMillis()));
    try {
      boolean failing = connection.getResponseCode() >= 400;
      try (InputStream in = failing ? connection.getErrorStream() : connection.getInputStream()) {
        return new String(in.readNBytes(ANSWER_MAX), StandardCharsets.UTF_8);
      }
    } finally {
      connection.disconnect();
    }
  }

  private static String reason(Exception failure) {
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }
}
