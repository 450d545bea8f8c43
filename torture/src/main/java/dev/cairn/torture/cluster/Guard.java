package dev.cairn.torture.cluster;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The mechanisms that keep a server that was declared dead, or a replaced master, from doing
 * damage, and the rules by which regions are placed. The simulation can disable each one, to show
 * that it detects the damage.
 */
public enum Guard {
  /** Recovery seals a log before it reads it. */
  SEAL,
  /** A log that continues in a new file does not create its directory again. */
  DIRECTORY,
  /** A new owner of a region deletes the scratch directories of earlier ones. */
  SCRATCH,
  /** A region server answers only while its session cannot have expired. */
  LEASE,
  /** Region servers obey only the newest master. */
  EPOCH,
  /** A region server ignores an order that comes late. */
  ORDER,
  /** A new master renames the directory through which the last one changes names. */
  FENCE,
  /** A region server registers before it opens its log. */
  REGISTRATION,
  /** A new owner of a region knows which increments the earlier ones made. */
  NONCES,
  /** A master waits for the end of the lease of a silent server that it has given up. */
  WAIT,
  /** A master checks that it leads before it seals the logs of earlier masters. */
  LEADER,
  /** A notice to the server of a replica that failed is repeated. */
  NOTICE,
  /** A draining server gets no regions. */
  DRAINING,
  /** A region is placed at a server of its table's group. */
  GROUPS;

  /**
   * Returns the guard with a name; case does not matter.
   *
   * @throws IllegalArgumentException if there is none; the message names all guards
   */
  public static Guard of(String name) {
    return Arrays.stream(values())
        .filter(guard -> guard.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "There is no guard "
                        + name
                        + "; there are "
                        + Arrays.stream(values())
                            .map(guard -> guard.name().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "))));
  }
}
