package dev.cairn.torture.model;

import dev.cairn.engine.cell.Bytes;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * One tag of a cell.
 *
 * @param type its type; {@link #TTL} is the only one that changes answers
 * @param value its bytes
 */
public record Tag(int type, String value) {
  /** The cell's own time to live, eight bytes of milliseconds. */
  public static final int TTL = 8;

  /** Returns a tag with a time to live. */
  public static Tag ttl(long millis) {
    return new Tag(TTL, Text.of(Bytes.ofLong(millis)));
  }

  /** Returns the time to live that is among {@code tags}. */
  public static OptionalLong ttlOf(List<Tag> tags) {
    return tags.stream()
        .filter(tag -> tag.type == TTL)
        .mapToLong(tag -> Bytes.getLong(Text.bytes(tag.value), 0))
        .findFirst();
  }

  /** Returns {@code tags} in the layout that cells carry. */
  public static byte[] encode(List<Tag> tags) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Tag tag : tags) {
      int length = 1 + tag.value.length();
      out.write(length >> 8);
      out.write(length);
      out.write(tag.type);
      out.writeBytes(Text.bytes(tag.value));
    }
    return out.toByteArray();
  }

  /** Returns the tags in {@code bytes}. */
  public static List<Tag> decode(byte[] bytes) {
    List<Tag> tags = new ArrayList<>();
    for (int at = 0; at < bytes.length; ) {
      int length = Bytes.getUnsignedShort(bytes, at);
      tags.add(new Tag(bytes[at + 2] & 0xFF, Text.of(bytes).substring(at + 3, at + 2 + length)));
      at += 2 + length;
    }
    return tags;
  }
}
