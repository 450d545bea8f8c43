package dev.cairn.server.config;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.List;
import java.util.Optional;

/** The names of this machine, and a name service; {@link #system} asks the real ones. */
public interface HostNames {
  /** Returns the machine's own name, the longest form that is known. May take seconds. */
  String localName() throws IOException;

  /** Returns the addresses of {@code name}. May take seconds. */
  List<InetAddress> addresses(String name) throws IOException;

  /** Tells whether {@code address} is one of this machine's. */
  boolean isLocal(InetAddress address) throws IOException;

  /**
   * Returns this machine's address on the way to other networks, if there is such a way. Does not
   * wait for anything outside the machine.
   */
  Optional<InetAddress> outward() throws IOException;

  /** Returns the names of the machine that this runs on. */
  static HostNames system() {
    return new HostNames() {
      @Override
      public String localName() throws IOException {
        return InetAddress.getLocalHost().getCanonicalHostName();
      }

      @Override
      public List<InetAddress> addresses(String name) throws IOException {
        return List.of(InetAddress.getAllByName(name));
      }

      @Override
      public boolean isLocal(InetAddress address) throws IOException {
        return NetworkInterface.getByInetAddress(address) != null;
      }

      @Override
      public Optional<InetAddress> outward() throws IOException {
        // Connecting a datagram socket sends nothing; the system only chooses a way. The address
        // is one reserved for documentation.
        try (DatagramSocket socket = new DatagramSocket()) {
          socket.connect(new InetSocketAddress("192.0.2.1", 9));
          InetAddress address = socket.getLocalAddress();
          return address.isAnyLocalAddress() || address.isLoopbackAddress()
              ? Optional.empty()
              : Optional.of(address);
        }
      }
    };
  }
}
