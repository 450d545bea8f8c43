package dev.cairn.server.regionserver.assignment;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Why regions could not be opened the last time, so that a reason that the log has already is not
 * logged in full with every further attempt: these never end. Thread-safe.
 */
public final class OpeningFailures {
  private final Map<String, String> reasons = new ConcurrentHashMap<>();

  /**
   * Remembers a failure.
   *
   * @return whether the attempt before did not fail of the same
   */
  public boolean isNew(String encodedName, Throwable failure) {
    String reason = failure.toString();
    return !reason.equals(reasons.put(encodedName, reason));
  }

  /** Forgets a region's failures. */
  public void opened(String encodedName) {
    reasons.remove(encodedName);
  }
}
