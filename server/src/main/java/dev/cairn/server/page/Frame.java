package dev.cairn.server.page;

import java.util.List;

/**
 * The header and footer of every page, at one moment.
 *
 * @param server the server's name
 * @param roles its roles: master, region server
 * @param version the version of Cairn; empty if it is not known
 * @param health the status of the health checks
 * @param timeMillis the server's time, milliseconds since 1970
 */
public record Frame(
    String server, List<String> roles, String version, Value.State health, long timeMillis) {
  /** Copies the roles. */
  public Frame {
    roles = List.copyOf(roles);
  }
}
