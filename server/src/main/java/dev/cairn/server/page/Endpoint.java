package dev.cairn.server.page;

import java.nio.charset.StandardCharsets;

/**
 * Data at an address of its own, which is not a page: CSV, a matrix, another server's format.
 *
 * @param path its address, for example {@code /api/v1/traffic/matrix}; if it ends with a slash, the
 *     beginning of its addresses, except those with an endpoint of their own
 * @param sentence its contents, for the documentation
 * @param reply makes the data
 */
public record Endpoint(String path, String sentence, Reply reply) {
  /** Makes the data for a request. Called by a worker of the web server; thread-safe. */
  @FunctionalInterface
  public interface Reply {
    /**
     * Returns the data.
     *
     * @param request its {@code page} is the address without the first slash, decoded
     */
    Content to(PageRequest request) throws PageException;
  }

  /**
   * Data.
   *
   * @param type the content type, without its character set, which is UTF-8
   * @param bytes not to be changed
   */
  public record Content(String type, byte[] bytes) {
    /** Creates text. */
    public Content(String type, String text) {
      this(type, text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Checks the address. */
  public Endpoint {
    if (!path.matches("/[A-Za-z0-9/._-]+")) {
      throw new IllegalArgumentException("Not an address: " + path);
    }
  }
}
