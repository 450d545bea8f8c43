package dev.cairn.server.http;

import dev.cairn.server.page.WebAnswer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Iterator;

/**
 * The response to a request.
 *
 * @param code the HTTP status
 * @param type the content type, without its character set, which is UTF-8
 * @param bytes the body; not to be changed
 * @param caching the value of the header {@code Cache-Control}
 * @param rest the parts of the body after {@code bytes}, rendered as they are asked for
 */
record WebResponse(int code, String type, byte[] bytes, String caching, Iterator<String> rest) {
  private static final String NEVER = "no-store";

  /** Files change with a new version only, so a browser may keep them for a while. */
  private static final String SHORTLY = "max-age=300";

  /** Returns the answer of a page. */
  static WebResponse of(WebAnswer answer) {
    return new WebResponse(
        answer.code(),
        answer.type(),
        answer.bytes(),
        answer.isFixed() ? SHORTLY : NEVER,
        Collections.emptyIterator());
  }

  private WebResponse(int code, String type, String text, String caching) {
    this(code, type, text.getBytes(StandardCharsets.UTF_8), caching, Collections.emptyIterator());
  }

  static WebResponse json(int code, String body) {
    return new WebResponse(code, "application/json", body + "\n", NEVER);
  }

  /** Returns a page in Prometheus' text format. */
  static WebResponse series(Iterator<String> parts) {
    String first = parts.hasNext() ? parts.next() : "";
    return new WebResponse(
        200, "text/plain; version=0.0.4", first.getBytes(StandardCharsets.UTF_8), NEVER, parts);
  }

  static WebResponse text(int code, String body) {
    return new WebResponse(code, "text/plain", body, NEVER);
  }
}
