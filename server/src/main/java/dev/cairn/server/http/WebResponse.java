package dev.cairn.server.http;

/**
 * The response to a request.
 *
 * @param code the HTTP status
 * @param type the content type, without its character set, which is UTF-8
 * @param body the text of the page
 */
record WebResponse(int code, String type, String body) {
  static WebResponse html(String body) {
    return new WebResponse(200, "text/html", body);
  }

  static WebResponse json(int code, String body) {
    return new WebResponse(code, "application/json", body + "\n");
  }

  /** Returns a page in Prometheus' text format. */
  static WebResponse series(String body) {
    return new WebResponse(200, "text/plain; version=0.0.4", body);
  }

  static WebResponse text(int code, String body) {
    return new WebResponse(code, "text/plain", body);
  }
}
