package dev.cairn.server.tracing;

import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;

/**
 * The collector of spans, and the share of calls that begin a trace.
 *
 * @param endpoint the collector's URL
 * @param service the name of the service in the traces
 * @param ratio the share of the calls without a caller's span that begin a trace, 0 to 1
 */
public record TracingSettings(URI endpoint, String service, double ratio) {
  private static final String PATH = "/v1/traces";

  private static final ConfigKey<String> ENDPOINT =
      ConfigKey.text(
          "cairn.tracing.endpoint",
          "",
          "URL of an OpenTelemetry collector that accepts OTLP over HTTP, such as"
              + " http://127.0.0.1:4318. It receives the spans of traced calls. Empty means no"
              + " tracing.");

  private static final ConfigKey<String> SERVICE =
      ConfigKey.text("cairn.tracing.service", "cairn", "Service name (service.name) in traces.");

  private static final ConfigKey<Double> RATIO =
      ConfigKey.fraction(
          "cairn.tracing.ratio",
          "0",
          "Share of the calls without a client's trace that begin a trace of their own.");

  /** Returns all keys. */
  public static List<ConfigKey<?>> keys() {
    return List.of(ENDPOINT, SERVICE, RATIO);
  }

  /**
   * Reads the settings; empty if there is no tracing.
   *
   * @throws ConfigException if the endpoint is not an http: or https: URL
   */
  public static Optional<TracingSettings> of(SiteConfig config) {
    String text = config.get(ENDPOINT).strip();
    return text.isEmpty()
        ? Optional.empty()
        : Optional.of(new TracingSettings(endpoint(text), config.get(SERVICE), config.get(RATIO)));
  }

  private static URI endpoint(String text) {
    try {
      URI uri = new URI(text);
      boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (!isHttp || uri.getHost() == null || uri.getQuery() != null) {
        throw refused(text);
      }
      String path = uri.getPath();
      return path.isEmpty() || path.equals("/") ? uri.resolve(PATH) : uri;
    } catch (URISyntaxException e) {
      throw refused(text);
    }
  }

  private static ConfigException refused(String text) {
    return new ConfigException(
        ENDPOINT.name()
            + " is "
            + text
            + ": it must be the http: or https: URL of an OTLP collector, such as"
            + " http://127.0.0.1:4318");
  }
}
