package dev.cairn.tools.doctor;

import dev.cairn.server.config.HostNames;
import dev.cairn.tools.doctor.Finding.Area;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Finds problems that keep clients on other hosts from connecting: listeners on the loopback
 * address, and names that do not resolve, or that resolve to the client's own host.
 *
 * @param names resolves names, as this host does
 * @param patience limits the time of each look-up
 */
public record OtherHostsCheck(HostNames names, Patience patience) {
  private static final Pattern NUMERIC = Pattern.compile("[0-9.]+|.*:.*");
  private static final String OPEN =
      "Set cairn.bind.address to 0.0.0.0 if others are to connect, and let a firewall decide"
          + " which: there is no access control.";
  private static final String RENAME =
      "Set cairn.hostname to a name or address at which other hosts can reach this machine.";

  /**
   * A listener of a server.
   *
   * @param what the name of the listener, for people
   * @param bound the address that it listens on
   * @param told the host that the server advertises to clients; empty if none
   * @param key the key of the address
   */
  public record Listener(String what, String bound, String told, String key) {}

  /** Adds the findings. */
  public void run(List<Listener> listeners, Diagnosis diagnosis) {
    List<Listener> closed = listeners.stream().filter(one -> isLoopback(one.bound)).toList();
    if (closed.size() == listeners.size()) {
      diagnosis.advise(
          Area.OTHER_HOSTS,
          "Only this machine can connect (protected mode).",
          "every listener is bound to " + listeners.get(0).bound,
          OPEN);
    } else {
      closed.forEach(
          one ->
              diagnosis.problem(
                  Area.OTHER_HOSTS,
                  "Other hosts cannot reach the " + one.what + ", although they reach the others.",
                  one.key + " = " + one.bound,
                  "Bind it like the others."));
    }
    listeners.stream()
        .map(Listener::told)
        .filter(host -> !host.isEmpty())
        .distinct()
        .forEach(host -> host(host, closed.size() == listeners.size(), diagnosis));
  }

  /**
   * Adds the problems of a host that the server advertises to clients.
   *
   * @param isClosed whether only this machine can connect
   */
  private void host(String host, boolean isClosed, Diagnosis diagnosis) {
    List<InetAddress> addresses;
    try {
      addresses = patience.ask(() -> names.addresses(host));
    } catch (IOException e) {
      diagnosis.problem(
          Area.OTHER_HOSTS,
          "Clients are told the host " + host + ", which does not resolve here.",
          host,
          "Add it to the name service or to /etc/hosts. Or: " + RENAME);
      return;
    }
    boolean loopback = addresses.stream().anyMatch(InetAddress::isLoopbackAddress);
    if (isClosed) {
      if (!loopback) {
        diagnosis.problem(
            Area.OTHER_HOSTS,
            "Clients are told the host " + host + ", but the servers listen on the loopback only.",
            host,
            OPEN);
      }
      return;
    }
    if (isLoopback(host) || host.toLowerCase(Locale.ROOT).equals("localhost")) {
      diagnosis.problem(
          Area.OTHER_HOSTS,
          "Clients are told the host " + host + ", which leads each of them to itself.",
          host,
          RENAME);
    } else if (loopback) {
      diagnosis.advise(
          Area.OTHER_HOSTS,
          "The host "
              + host
              + " that the server advertises to clients resolves to the"
              + " loopback address here.",
          "/etc/hosts: " + addresses.get(0).getHostAddress() + " " + host,
          "Make sure that other hosts resolve it to an address of this machine.");
    } else if (!NUMERIC.matcher(host).matches() && !host.contains(".")) {
      diagnosis.advise(
          Area.OTHER_HOSTS,
          "Clients are told the host " + host + ", a name without a domain.",
          host,
          "Make sure that other hosts resolve this name. Or: " + RENAME);
    } else {
      diagnosis.ok(
          Area.OTHER_HOSTS,
          "Clients are told the host "
              + host
              + (NUMERIC.matcher(host).matches()
                  ? "."
                  : ", which is " + addresses.get(0).getHostAddress() + " here."));
    }
  }

  private static boolean isLoopback(String address) {
    if (!NUMERIC.matcher(address).matches()) {
      return address.equalsIgnoreCase("localhost");
    }
    try {
      return InetAddress.getByName(address).isLoopbackAddress();
    } catch (IOException e) {
      return false;
    }
  }
}
