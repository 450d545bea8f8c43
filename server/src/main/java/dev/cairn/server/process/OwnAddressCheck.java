package dev.cairn.server.process;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.AddressException;
import dev.cairn.server.config.HostKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * Checks that a server can connect to its own advertised name. Master and region server use that
 * name, too, and would otherwise wait for each other for minutes.
 *
 * @param executor resolves the name and connects
 * @param patience the time limit for both
 */
record OwnAddressCheck(Executor executor, Duration patience) {
  private static final Pattern NUMERIC = Pattern.compile("[0-9.]+");

  /**
   * Connects to a server of this process.
   *
   * @param name the name of a server that listens in this process
   * @throws AddressException naming the host, the key and the remedy, if no connection can be made
   */
  void check(ServerName name) throws IOException {
    CompletableFuture<Void> connected = CompletableFuture.runAsync(() -> connect(name), executor);
    try {
      connected.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while starting", e);
    } catch (TimeoutException e) {
      throw unreachable(name, "no connection within " + patience.toSeconds() + " s", e);
    } catch (ExecutionException e) {
      Throwable cause =
          e.getCause() instanceof UncheckedIOException failed ? failed.getCause() : e.getCause();
      throw cause instanceof UnknownHostException
          ? unreachable(name, "the name is unknown on this machine", e)
          : unreachable(name, String.valueOf(cause.getMessage()), e);
    }
  }

  private void connect(ServerName name) {
    try (Socket socket = new Socket()) {
      InetSocketAddress address = name.address();
      if (address.isUnresolved()) {
        throw new UnknownHostException(name.host());
      }
      socket.connect(address, Math.toIntExact(patience.toMillis()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static AddressException unreachable(ServerName name, String reason, Exception cause) {
    return new AddressException(
        "This server cannot connect to itself at "
            + name.host()
            + ", port "
            + name.port()
            + ", the address that it advertises: "
            + reason
            + remedy(name.host()),
        cause);
  }

  private static String remedy(String host) {
    if (host.indexOf(':') >= 0 || NUMERIC.matcher(host).matches()) {
      return ". Set " + HostKeys.HOSTNAME.name() + " to a name or an address of this machine";
    }
    return ". Make the name resolve to this machine, for example with \"127.0.0.1 "
        + host
        + "\" in /etc/hosts (in a container: docker run --add-host), or set "
        + HostKeys.HOSTNAME.name()
        + " to another name";
  }
}
