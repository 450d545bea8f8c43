package dev.cairn.server.regionserver;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Why regions could not be opened the last time, so that a reason that the log has already is not
 * logged in full with every further attempt: these never end. Thread-safe.
 */
final class OpeningFailures {
  private final Map<String, String> reasons = new ConcurrentHashMap<>();

  /**
   * Remembers a failure.
   *
   * @return whether the attempt before did not fail of the same
   */
  boolean isNew(String encodedName, Throwable failure) {
    String reason = failure.toString();
    return !reason.equals(reasons.put(encodedName, reason));
  }

  /** Forgets a region's failures. */
  void opened(String encodedName) {
    reasons.remove(encodedName);
  }
}
