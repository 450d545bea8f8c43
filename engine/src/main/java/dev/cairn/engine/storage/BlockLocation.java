package dev.cairn.engine.storage;

import java.util.Set;

/**
 * Names the machines that hold a block of a file. Immutable.
 *
 * @param length the bytes of the block
 * @param hosts the machines that hold a copy of it, each by its name and by its address
 */
public record BlockLocation(long length, Set<String> hosts) {
  /** Copies {@code hosts}. */
  public BlockLocation {
    hosts = Set.copyOf(hosts);
  }
}
