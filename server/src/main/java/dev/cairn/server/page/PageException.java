package dev.cairn.server.page;

/** A page that cannot be shown; the message is for the reader. */
public final class PageException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int status;

  private PageException(int status, String message) {
    super(message);
    this.status = status;
  }

  /** Returns the answer to a request for something that does not exist: status 404. */
  public static PageException notFound(String message) {
    return new PageException(404, message);
  }

  /** Returns the answer to a request with a wrong parameter: status 400. */
  public static PageException badRequest(String message) {
    return new PageException(400, message);
  }

  /** Returns the answer to a request that the server refuses: status 403. */
  public static PageException forbidden(String message) {
    return new PageException(403, message);
  }

  /** Returns the answer while the data is unavailable: status 503. */
  public static PageException unavailable(String message) {
    return new PageException(503, message);
  }

  /** Returns the HTTP status. */
  public int status() {
    return status;
  }
}
