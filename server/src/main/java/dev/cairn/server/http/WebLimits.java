package dev.cairn.server.http;

import java.time.Duration;

/**
 * Limits the connections and times of the web server's clients.
 *
 * @param connectionsMax the most open connections; one more closes the connection that has waited
 *     longest for a request
 * @param requestTime how long a request may take to arrive, since the connection or the last
 *     response
 * @param answerTime how long a response may take until the client has read all of it
 */
public record WebLimits(int connectionsMax, Duration requestTime, Duration answerTime) {
  /** Defaults, enough for browsers and probes of many machines. */
  public static final WebLimits DEFAULTS =
      new WebLimits(200, Duration.ofSeconds(10), Duration.ofSeconds(30));

  /** Checks that the limits allow any requests. */
  public WebLimits {
    if (connectionsMax < 1 || requestTime.isNegative() || requestTime.isZero()) {
      throw new IllegalArgumentException(
          "These limits allow no request: " + connectionsMax + " connections, " + requestTime);
    }
  }
}
