package dev.cairn.server.http;

/**
 * What a request is answered with.
 *
 * @param code the HTTP status
 * @param type the content type, without its character set, which is UTF-8
 * @param body the text
 */
record WebAnswer(int code, String type, String body) {
  static WebAnswer html(String body) {
    return new WebAnswer(200, "text/html", body);
  }

  static WebAnswer json(int code, String body) {
    return new WebAnswer(code, "application/json", body + "\n");
  }

  static WebAnswer text(int code, String body) {
    return new WebAnswer(code, "text/plain", body);
  }
}
