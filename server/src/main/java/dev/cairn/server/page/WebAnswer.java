package dev.cairn.server.page;

import java.nio.charset.StandardCharsets;

/**
 * The answer to a request.
 *
 * @param code the HTTP status
 * @param type the content type, without its character set, which is UTF-8
 * @param bytes the body; not to be changed
 * @param isFixed whether the text is the same until the server ends
 */
public record WebAnswer(int code, String type, byte[] bytes, boolean isFixed) {
  /** Creates an answer with text. */
  public WebAnswer(int code, String type, String text, boolean isFixed) {
    this(code, type, text.getBytes(StandardCharsets.UTF_8), isFixed);
  }

  /** Returns the body as text. */
  public String body() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  static WebAnswer html(int code, String body) {
    return new WebAnswer(code, "text/html", body, false);
  }

  static WebAnswer json(int code, String body) {
    return new WebAnswer(code, "application/json", body + "\n", false);
  }
}
