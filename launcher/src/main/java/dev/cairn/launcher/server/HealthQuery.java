package dev.cairn.launcher.server;

import dev.cairn.launcher.output.Failures;
import dev.cairn.server.health.HealthReport;
import dev.cairn.server.health.HealthResult;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Asks a server on this machine for its health report.
 *
 * @param patience the time-out of the connect and of each read
 */
record HealthQuery(Duration patience) {
  private static final int ANSWER_MAX = 1 << 20;

  /**
   * Returns the server's report. If the server has no web page or does not answer, returns a report
   * with one warning that gives the reason.
   */
  HealthReport ask(Optional<String> url) {
    if (url.isEmpty()) {
      return unknown("unknown: the web page is off (hbase.master.info.port)");
    }
    try {
      return read(url.get());
    } catch (IOException | IllegalArgumentException e) {
      return unknown(
          "unknown: the server does not answer at " + url.get() + ": " + Failures.reason(e));
    }
  }

  private HealthReport read(String url) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create(url).toURL().openConnection(Proxy.NO_PROXY);
    connection.setConnectTimeout(Math.toIntExact(patience.toMillis()));
    connection.setReadTimeout(Math.toIntExact(patience.toMillis()));
    try {
      boolean failing = connection.getResponseCode() >= 400;
      try (InputStream in = failing ? connection.getErrorStream() : connection.getInputStream()) {
        return HealthReport.parse(new String(in.readNBytes(ANSWER_MAX), StandardCharsets.UTF_8));
      }
    } finally {
      connection.disconnect();
    }
  }

  private static HealthReport unknown(String message) {
    return new HealthReport(List.of(new HealthReport.Entry("health", HealthResult.warn(message))));
  }
}
