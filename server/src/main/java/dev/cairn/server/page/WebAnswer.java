package dev.cairn.server.page;

/**
 * The answer to a request.
 *
 * @param code the HTTP status
 * @param type the content type, without its character set, which is UTF-8
 * @param body the text
 * @param isFixed whether the text is the same for as long as the server runs
 */
public record WebAnswer(int code, String type, String body, boolean isFixed) {
  static WebAnswer html(int code, String body) {
    return new WebAnswer(code, "text/html", body, false);
  }

  static WebAnswer json(int code, String body) {
    return new WebAnswer(code, "application/json", body + "\n", false);
  }
}
