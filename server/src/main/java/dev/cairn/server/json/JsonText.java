package dev.cairn.server.json;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonWriter;

/** Writes one JSON value as text. */
public final class JsonText {
  private JsonText() {}

  /** Writes one value to a JSON writer. */
  public interface Content {
    /** Writes the value. The writer is in memory and never fails. */
    void write(JsonWriter json) throws IOException;
  }

  /** Returns a value on one line. */
  public static String of(Content content) {
    return text(content, "", false);
  }

  /** Returns a value on indented lines. */
  public static String indented(Content content) {
    return text(content, "  ", false);
  }

  /** Returns a value on one line that an HTML page may contain. */
  public static String htmlSafe(Content content) {
    return text(content, "", true);
  }

  private static String text(Content content, String indent, boolean htmlSafe) {
    StringWriter text = new StringWriter();
    try (JsonWriter json = new JsonWriter(text)) {
      json.setIndent(indent);
      json.setHtmlSafe(htmlSafe);
      content.write(json);
    } catch (IOException e) {
      throw new UncheckedIOException("Writing to memory failed", e);
    }
    return text.toString();
  }
}
