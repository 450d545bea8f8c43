package dev.cairn.engine.wal.file;

import dev.cairn.engine.cell.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The attributes of a log entry (HBase's {@code extended_attributes}), which hooks of writes add
 * for readers of the log. A recovery passes them to the hooks of replays. Immutable.
 */
public final class WalAttributes {
  /** No attributes. */
  public static final WalAttributes NONE = new WalAttributes(List.of());

  /**
   * The most bytes of all names and values, with {@link #OVERHEAD} for each attribute, so that the
   * key of the entry stays below {@link WalFormat#KEY_LENGTH_MAX}.
   */
  public static final int BYTES_MAX = 256 << 10;

  /**
   * The most bytes of a value in a compressed log: its writer and readers keep up to 32,767 values
   * in memory.
   */
  public static final int COMPRESSED_VALUE_BYTES_MAX = 4 << 10;

  /** At least what an attribute takes in a file besides its name and value, bytes. */
  private static final int OVERHEAD = 16;

  /** An attribute; the name is in UTF-8. */
  record Attribute(byte[] name, byte[] value) {}

  private final List<Attribute> all;
  private final int bytes;

  WalAttributes(List<Attribute> all) {
    this.all = List.copyOf(all);
    this.bytes = all.stream().mapToInt(one -> one.name.length + one.value.length).sum();
  }

  /**
   * Returns attributes, in the order of the map.
   *
   * @throws IllegalArgumentException if they have more than {@link #BYTES_MAX} bytes
   */
  public static WalAttributes of(Map<String, byte[]> attributes) {
    List<Attribute> all = new ArrayList<>();
    long bytes = 0;
    for (Map.Entry<String, byte[]> one : attributes.entrySet()) {
      Attribute attribute = new Attribute(Bytes.utf8(one.getKey()), one.getValue().clone());
      bytes += OVERHEAD + attribute.name.length + attribute.value.length;
      all.add(attribute);
    }
    if (bytes > BYTES_MAX) {
      throw new IllegalArgumentException(
          "The attributes of a log's entry have " + bytes + " bytes, more than " + BYTES_MAX);
    }
    return all.isEmpty() ? NONE : new WalAttributes(all);
  }

  /**
   * Returns the same attributes, for a compressed log.
   *
   * @throws IllegalArgumentException if a value has more than {@link #COMPRESSED_VALUE_BYTES_MAX}
   *     bytes
   */
  public WalAttributes requireCompressible() {
    for (Attribute one : all) {
      if (one.value.length > COMPRESSED_VALUE_BYTES_MAX) {
        throw new IllegalArgumentException(
            "The attribute %s of a compressed log's entry has %d bytes, more than %d"
                .formatted(Bytes.utf8(one.name), one.value.length, COMPRESSED_VALUE_BYTES_MAX));
      }
    }
    return this;
  }

  /** Returns the attributes by name; callers must not change the values. */
  public Map<String, byte[]> toMap() {
    Map<String, byte[]> map = new LinkedHashMap<>();
    all.forEach(one -> map.put(Bytes.utf8(one.name), one.value));
    return map;
  }

  /** Tells whether there are none. */
  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** Returns the size of all names and values, bytes. */
  public int byteSize() {
    return bytes;
  }

  List<Attribute> all() {
    return all;
  }

  /** Returns their serialized form, to keep them in memory; empty if there are none. */
  public byte[] toBytes() {
    if (all.isEmpty()) {
      return Bytes.EMPTY;
    }
    ByteBuffer form = ByteBuffer.allocate(bytes + all.size() * 2 * Integer.BYTES);
    for (Attribute one : all) {
      form.putInt(one.name.length).put(one.name).putInt(one.value.length).put(one.value);
    }
    return form.array();
  }

  /** Returns the attributes that {@link #toBytes} wrote. */
  public static WalAttributes fromBytes(byte[] form) {
    if (form.length == 0) {
      return NONE;
    }
    List<Attribute> all = new ArrayList<>();
    for (ByteBuffer rest = ByteBuffer.wrap(form); rest.hasRemaining(); ) {
      all.add(new Attribute(part(rest), part(rest)));
    }
    return new WalAttributes(all);
  }

  private static byte[] part(ByteBuffer rest) {
    byte[] part = new byte[rest.getInt()];
    rest.get(part);
    return part;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof WalAttributes same && Arrays.equals(toBytes(), same.toBytes());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(toBytes());
  }

  @Override
  public String toString() {
    List<String> texts = new ArrayList<>();
    all.forEach(one -> texts.add(Bytes.utf8(one.name) + "=" + Bytes.toStringBinary(one.value)));
    return texts.toString();
  }
}
