package dev.cairn.launcher.cluster;

import dev.cairn.server.health.HealthReport;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Queries the state of a cluster's processes through their ports and web pages. */
final class WebQuery {
  private static final int TIMEOUT_MILLIS = 2_000;
  private static final int ANSWER_MAX = 1 << 20;
  private static final Pattern LIVE = Pattern.compile("\"NumLiveDataNodes\"\\s*:\\s*(\\d+)");

  private WebQuery() {}

  /** Tells whether a process listens on a port of this machine. */
  static boolean listens(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the health of a server; empty if it does not answer. */
  static Optional<HealthReport> health(int webPort) {
    return get(webPort, "/health?format=json").flatMap(WebQuery::report);
  }

  private static Optional<HealthReport> report(String json) {
    try {
      return Optional.of(HealthReport.parse(json));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns the number of live DataNodes of a NameNode; 0 if it does not answer. */
  static int liveDataNodes(int webPort) {
    return get(webPort, "/jmx?qry=Hadoop:service=NameNode,name=FSNamesystemState")
        .map(LIVE::matcher)
        .filter(Matcher::find)
        .map(match -> Integer.parseInt(match.group(1)))
        .orElse(0);
  }

  private static Optional<String> get(int port, String path) {
    try {
      HttpURLConnection connection =
          (HttpURLConnection)
              URI.create("http://127.0.0.1:" + port + path).toURL().openConnection(Proxy.NO_PROXY);
      connection.setConnectTimeout(TIMEOUT_MILLIS);
      connection.setReadTimeout(TIMEOUT_MILLIS);
      boolean failing = connection.getResponseCode() >= 400;
      try (InputStream in = failing ? connection.getErrorStream() : connection.getInputStream()) {
        return Optional.of(new String(in.readNBytes(ANSWER_MAX), StandardCharsets.UTF_8));
      } finally {
        connection.disconnect();
      }
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
