package dev.cairn.server.health;

import java.io.IOException;

/**
 * Looks at one aspect of a server.
 *
 * <p>Implementations are called by any thread, by several at once, and often: each answers within a
 * moment from what is known, and changes nothing.
 */
public interface HealthCheck {
  /** Returns the name: one lower-case word, unique in the server, for people and programs. */
  String name();

  /**
   * Returns what is the case now.
   *
   * @throws IOException if that cannot be found out, which counts as a warning
   */
  HealthResult check() throws IOException;
}
