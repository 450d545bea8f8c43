package dev.cairn.server.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The host that the server advertises to clients, in ZooKeeper, in {@code hbase:meta} and by the
 * registry. Clients on other machines must be able to reach it; a wrong one is the most frequent
 * problem with HBase.
 *
 * <p>In this order:
 *
 * <ol>
 *   <li>HBase's own key for the server's role, if set;
 *   <li>{@code cairn.hostname}, if set;
 *   <li>the address that the server listens on, if it is a single address ({@code localhost} for
 *       127.0.0.1);
 *   <li>the machine's full name, with its domain, if the name service knows it under addresses of
 *       this machine that others can reach; a bare name, such as a container's, does not count,
 *       because often only the machine itself knows it;
 *   <li>the machine's address on the way to other networks;
 *   <li>{@code localhost}, on a machine without network.
 * </ol>
 *
 * <p>The name service gets a bounded time; one that does not answer is as good as none.
 */
public final class AdvertisedHost {
  private static final String LOCALHOST = "localhost";

  /** The address of {@link #LOCALHOST} on every machine. */
  private static final String LOOPBACK = "127.0.0.1";

  private final HostNames names;
  private final Executor executor;
  private final Duration patience;

  /**
   * Creates a finder.
   *
   * @param names the machine and its name service
   * @param executor runs the look-up of the name; one that hangs holds its thread for so long
   * @param patience how long to wait for the name service; a second is plenty
   */
  public AdvertisedHost(HostNames names, Executor executor, Duration patience) {
    this.names = names;
    this.executor = executor;
    this.patience = patience;
  }

  /**
   * Returns the host to tell the clients of {@code role}.
   *
   * @param listening the bind address of the server, which may be the one for all addresses
   * @throws ConfigException if a key names something that cannot be a host
   */
  public String find(SiteConfig config, ServerRole role, InetAddress listening) {
    for (ConfigKey<String> key : role.hostKeys()) {
      Optional<String> set = set(config, key);
      if (set.isPresent()) {
        return set.get();
      }
    }
    return set(config, HostKeys.HOSTNAME).orElseGet(() -> byDefault(listening));
  }

  private static Optional<String> set(SiteConfig config, ConfigKey<String> key) {
    Optional<String> host = config.find(key).map(String::strip).filter(text -> !text.isEmpty());
    host.ifPresent(
        text -> {
          if (text.equals("0.0.0.0") || text.equals("::")) {
            throw new ConfigException(
                key.name()
                    + " is the host that clients connect to, so it cannot be "
                    + text
                    + "; to set the address to listen on, use cairn.bind.address");
          }
          if (text.chars().anyMatch(c -> c <= ' ' || c == ',' || c == '/')) {
            throw new ConfigException(
                key.name()
                    + " must be one host name or address without a port, not <"
                    + text
                    + ">");
          }
        });
    return host;
  }

  private String byDefault(InetAddress listening) {
    if (listening.getHostAddress().equals(LOOPBACK)) {
      return LOCALHOST;
    }
    if (!listening.isAnyLocalAddress()) {
      return listening.getHostAddress();
    }
    return reachableNameInTime().or(this::outwardAddress).orElse(LOCALHOST);
  }

  private Optional<String> reachableName() throws IOException {
    String name = names.localName();
    if (!name.contains(".") || name.startsWith(LOCALHOST + ".")) {
      return Optional.empty();
    }
    List<InetAddress> addresses = names.addresses(name);
    for (InetAddress address : addresses) {
      // All have to lead here: a client may take any.
      if (address.isLoopbackAddress() || address.isLinkLocalAddress() || !names.isLocal(address)) {
        return Optional.empty();
      }
    }
    return addresses.isEmpty() ? Optional.empty() : Optional.of(name);
  }

  private Optional<String> reachableNameInTime() {
    CompletableFuture<Optional<String>> found =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return reachableName();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            executor);
    try {
      return found.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      return Optional.empty(); // a name service that hangs or fails knows no name
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private Optional<String> outwardAddress() {
    try {
      return names.outward().map(InetAddress::getHostAddress);
    } catch (IOException e) {
      return Optional.empty(); // there is no way to other networks
    }
  }
}
