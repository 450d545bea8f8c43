package dev.cairn.server.health;

import java.io.IOException;

/**
 * Checks one aspect of a server.
 *
 * <p>Implementations are thread-safe. They are called often, so they must return fast, and they
 * must not change anything.
 */
public interface HealthCheck {
  /** Returns the name: one lower-case word, unique in the server. */
  String name();

  /**
   * Returns the present result.
   *
   * @throws IOException if the check itself fails; a warning
   */
  HealthResult check() throws IOException;
}
