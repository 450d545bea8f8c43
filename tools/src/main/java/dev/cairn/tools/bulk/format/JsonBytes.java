package dev.cairn.tools.bulk.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonWriter;

/**
 * Bytes in JSON: a string if they are UTF-8, otherwise {@code {"base64": "…"}}. Each array of bytes
 * has one form, and is read back as it was.
 */
public final class JsonBytes {
  private static final String BASE64 = "base64";

  private JsonBytes() {}

  /** Writes bytes. */
  public static void write(JsonWriter out, byte[] bytes, int offset, int length)
      throws IOException {
    String text;
    try {
      text =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(bytes, offset, length))
              .toString();
    } catch (CharacterCodingException e) {
      byte[] binary = new byte[length];
      System.arraycopy(bytes, offset, binary, 0, length);
      out.beginObject().name(BASE64).value(Base64.getEncoder().encodeToString(binary)).endObject();
      return;
    }
    out.value(text);
  }

  /**
   * Returns the bytes.
   *
   * @throws IllegalArgumentException if {@code element} is neither form
   */
  public static byte[] read(JsonElement element) {
    if (element.isJsonPrimitive() && element.getAsJsonPrimitive().isString()) {
      return element.getAsString().getBytes(StandardCharsets.UTF_8);
    }
    if (element.isJsonObject()
        && element.getAsJsonObject().size() == 1
        && element.getAsJsonObject().has(BASE64)) {
      return Base64.getDecoder().decode(element.getAsJsonObject().get(BASE64).getAsString());
    }
    throw new IllegalArgumentException(
        "expected a string or {\"base64\": \"…\"} instead of " + element);
  }
}
