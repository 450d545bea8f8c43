package dev.cairn.server.catalog;

import java.net.InetSocketAddress;
import java.util.Comparator;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;

/**
 * One life of one server: where it listens, and when it was started, so that a restarted server is
 * another one.
 *
 * @param host the name under which clients reach it
 * @param port its RPC port, 0 to 65535
 * @param startCode when it was started, milliseconds since 1970
 */
public record ServerName(String host, int port, long startCode) implements Comparable<ServerName> {
  private static final Comparator<ServerName> ORDER =
      Comparator.comparing(ServerName::host)
          .thenComparingInt(ServerName::port)
          .thenComparingLong(ServerName::startCode);

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if one is impossible
   */
  public ServerName {
    if (host.isEmpty() || host.indexOf(',') >= 0 || host.indexOf('/') >= 0) {
      throw new IllegalArgumentException("Illegal host name <" + host + "> of a server");
    }
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException("Illegal port " + port + " of the server " + host);
    }
  }

  /**
   * Reads {@code host,port,startcode}, the form that {@link #toString} writes.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static ServerName parse(String text) {
    String[] parts = text.split(",", -1);
    if (parts.length == 3) {
      try {
        return new ServerName(parts[0], Integer.parseInt(parts[1]), Long.parseLong(parts[2]));
      } catch (NumberFormatException e) {
        // Said below, as for every other form.
      }
    }
    throw new IllegalArgumentException(
        "A server's name has the form host,port,startcode; not <" + text + ">");
  }

  /** Returns the server that {@code message} names. */
  public static ServerName of(HBaseProtos.ServerName message) {
    return new ServerName(message.getHostName(), message.getPort(), message.getStartCode());
  }

  /** Returns the message that names this server. */
  public HBaseProtos.ServerName message() {
    return HBaseProtos.ServerName.newBuilder()
        .setHostName(host)
        .setPort(port)
        .setStartCode(startCode)
        .build();
  }

  // Written out, as in every record that a start compares: Java makes those of records from method
  // handles, anew in each process, which takes some milliseconds.
  @Override
  public boolean equals(Object other) {
    return other instanceof ServerName that
        && startCode == that.startCode
        && port == that.port
        && host.equals(that.host);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * host.hashCode() + port) + Long.hashCode(startCode);
  }

  /** Returns {@code host:port}. */
  public String hostAndPort() {
    return host + ":" + port;
  }

  /** Returns the address; resolves the host. */
  public InetSocketAddress address() {
    return new InetSocketAddress(host, port);
  }

  /** Tells whether both are lives of the same server. */
  public boolean sameAddress(ServerName other) {
    return port == other.port && host.equalsIgnoreCase(other.host);
  }

  /** Tells whether this is a later life of the server that {@code earlier} was. */
  public boolean isLaterLifeOf(ServerName earlier) {
    return sameAddress(earlier) && startCode > earlier.startCode;
  }

  @Override
  public int compareTo(ServerName other) {
    return ORDER.compare(this, other);
  }

  /** Returns {@code host,port,startcode}. */
  @Override
  public String toString() {
    return host + "," + port + "," + startCode;
  }
}
