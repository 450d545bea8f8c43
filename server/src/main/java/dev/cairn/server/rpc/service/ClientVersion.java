package dev.cairn.server.rpc.service;

import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.VersionInfo;

/**
 * The version of a connection's HBase client. Some responses depend on it.
 *
 * @param major the first number, for example 2 of 2.6.4
 * @param minor the second number, for example 6 of 2.6.4
 */
public record ClientVersion(int major, int minor) {
  /** The version of a client that does not send one. It is older than all others. */
  public static final ClientVersion UNKNOWN = new ClientVersion(0, 0);

  /** The most digits that surely fit into an {@code int}. */
  private static final int MAX_DIGITS = 9;

  /** Reads the version from a connection header's message. */
  public static ClientVersion of(VersionInfo info) {
    if (info.hasVersionMajor() && info.hasVersionMinor()) {
      return new ClientVersion(info.getVersionMajor(), info.getVersionMinor());
    }
    // Clients before 1.3 send the text alone.
    String[] parts = info.getVersion().split("[.-]", 3);
    return parts.length > 1 && isNumber(parts[0]) && isNumber(parts[1])
        ? new ClientVersion(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]))
        : UNKNOWN;
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_DIGITS
        && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /** Tells whether the version is {@code major.minor} or later. */
  public boolean isAtLeast(int major, int minor) {
    return this.major > major || (this.major == major && this.minor >= minor);
  }
}
