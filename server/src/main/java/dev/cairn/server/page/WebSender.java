package dev.cairn.server.page;

import java.util.Locale;

/**
 * The sender of a request that changes something.
 *
 * @param address the address of the client, for the log
 * @param host the header {@code Host}; empty if absent
 * @param origin the header {@code Origin}; empty if absent, as from programs
 * @param site the header {@code Sec-Fetch-Site}; empty if absent
 */
public record WebSender(String address, String host, String origin, String site) {
  /**
   * Refuses requests that a page of another server has sent.
   *
   * @param serverHost the server's own host name
   */
  void checkOwn(String serverHost) throws PageException {
    String name = withoutPort(host).toLowerCase(Locale.ROOT);
    boolean isOwn =
        name.equals("localhost")
            || name.equals(serverHost.toLowerCase(Locale.ROOT))
            || name.matches("[0-9.]+|\\[[0-9a-f:.]+]");
    if (!isOwn) {
      throw PageException.forbidden(
          "Actions are refused under the name '"
              + name
              + "'. Open this page as localhost, by the server's IP address, or by its name "
              + serverHost
              + ".");
    }
    boolean fromElsewhere = !site.isEmpty() && !site.equals("same-origin") && !site.equals("none");
    boolean otherOrigin = !origin.isEmpty() && !origin.equals("http://" + host);
    if (fromElsewhere || otherOrigin) {
      throw PageException.forbidden("Pages of other servers cannot ask for actions.");
    }
  }

  private static String withoutPort(String host) {
    int end = host.lastIndexOf(':');
    return end > host.lastIndexOf(']') ? host.substring(0, end) : host;
  }
}
