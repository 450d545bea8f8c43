package dev.cairn.launcher.demo;

import java.util.Objects;

/**
 * The name of a Maven artifact. Groups are reversed domains, so artifacts of one origin lie beside
 * each other in the table, as the pages of one domain do in the paper's.
 *
 * @param group such as {@code org.apache.hbase}
 * @param artifact such as {@code hbase-client}
 * @param version such as {@code 2.6.4}
 */
public record Coordinates(String group, String artifact, String version)
    implements Comparable<Coordinates> {
  /** Checks that nothing is missing. */
  public Coordinates {
    Objects.requireNonNull(group);
    Objects.requireNonNull(artifact);
    Objects.requireNonNull(version);
  }

  /** Returns the row key, {@code group:artifact:version}. */
  public String rowKey() {
    return rowPrefix() + version;
  }

  /** Returns what the row keys of all versions begin with, {@code group:artifact:}. */
  public String rowPrefix() {
    return group + ":" + artifact + ":";
  }

  @Override
  public int compareTo(Coordinates other) {
    return rowKey().compareTo(other.rowKey());
  }

  @Override
  public String toString() {
    return rowKey();
  }
}
