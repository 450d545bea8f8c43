package dev.cairn.server.catalog;

import java.util.Comparator;
import java.util.Locale;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;

/**
 * Where a server listens, in all its lives.
 *
 * @param host the name under which clients reach it, in lower case
 * @param port its RPC port
 */
public record Address(String host, int port) implements Comparable<Address> {
  private static final Comparator<Address> ORDER =
      Comparator.comparing(Address::host).thenComparingInt(Address::port);

  /** Takes the host's name in lower case, because host names are equal in any case. */
  public Address {
    host = host.toLowerCase(Locale.ROOT);
  }

  /** Returns the address of a server. */
  public static Address of(ServerName server) {
    return new Address(server.host(), server.port());
  }

  /** Returns the address of the server that {@code message} names. */
  public static Address of(HBaseProtos.ServerName message) {
    return new Address(message.getHostName(), message.getPort());
  }

  /** Returns the message that names a server without its start. */
  public HBaseProtos.ServerName message() {
    return HBaseProtos.ServerName.newBuilder().setHostName(host).setPort(port).build();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Address that && port == that.port && host.equals(that.host);
  }

  @Override
  public int hashCode() {
    return 31 * host.hashCode() + port;
  }

  @Override
  public int compareTo(Address other) {
    return ORDER.compare(this, other);
  }

  /** Returns {@code host:port}. */
  @Override
  public String toString() {
    return host + ":" + port;
  }
}
