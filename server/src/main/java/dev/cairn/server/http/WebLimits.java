package dev.cairn.server.http;

import java.time.Duration;

/**
 * What one client, or many, may take of the web server.
 *
 * @param connectionsMax how many connections may be open; with one more, the one that has kept the
 *     server waiting longest for a request is closed
 * @param requestTime how long a request may take to arrive, from the connection or the last answer
 *     on
 * @param answerTime how long an answer may take, until the client has read all of it
 */
public record WebLimits(int connectionsMax, Duration requestTime, Duration answerTime) {
  /** Enough for browsers and probes of many machines. */
  public static final WebLimits DEFAULTS =
      new WebLimits(200, Duration.ofSeconds(10), Duration.ofSeconds(30));

  /** Checks that the limits let anybody through. */
  public WebLimits {
    if (connectionsMax < 1 || requestTime.isNegative() || requestTime.isZero()) {
      throw new IllegalArgumentException(
          "No request fits within " + connectionsMax + " connections" + " and " + requestTime);
    }
  }
}
