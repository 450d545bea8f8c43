package dev.cairn.keys;

import dev.cairn.keys.hash.HashFunction;
import dev.cairn.keys.type.KeyType;
import java.util.ArrayList;
import java.util.List;

/**
 * Declares a format part by part, in the order of the key. Types are given as the text form has
 * them, such as {@code "string(20)"}, or as objects. Not safe for use by several threads.
 */
public final class KeyFormatBuilder {
  private final List<KeyPart> parts = new ArrayList<>();

  KeyFormatBuilder() {}

  /** Adds a part with a value in ascending order. */
  public KeyFormatBuilder ascending(String name, String type) {
    return part(ValuePart.of(name, type, false));
  }

  /** Adds a part with a value in ascending order. */
  public KeyFormatBuilder ascending(String name, KeyType type) {
    return part(new ValuePart(name, type, false));
  }

  /** Adds a part with a value in descending order. */
  public KeyFormatBuilder descending(String name, String type) {
    return part(ValuePart.of(name, type, true));
  }

  /** Adds a part with a value in descending order. */
  public KeyFormatBuilder descending(String name, KeyType type) {
    return part(new ValuePart(name, type, true));
  }

  /** Adds a salt by Murmur3 of the named parts, or of all. */
  public KeyFormatBuilder salt(int buckets, String... of) {
    return part(new SaltPart(buckets, Bucketing.STANDARD, List.of(of)));
  }

  /** Adds a salt of the named parts, or of all. */
  public KeyFormatBuilder salt(int buckets, Bucketing bucketing, String... of) {
    return part(new SaltPart(buckets, bucketing, List.of(of)));
  }

  /** Adds the salt byte of a Phoenix table with SALT_BUCKETS. */
  public KeyFormatBuilder phoenixSalt(int buckets) {
    return part(new SaltPart(buckets, new Bucketing.Phoenix(), List.of()));
  }

  /** Adds the first bytes of a hash of the named parts, or of all that follow. */
  public KeyFormatBuilder hash(HashFunction function, int width, String... of) {
    return part(new HashPart(function, width, List.of(of)));
  }

  /** Adds bytes that all keys have. */
  public KeyFormatBuilder literal(byte[] bytes) {
    return part(new LiteralPart(bytes));
  }

  /** Adds any part. */
  public KeyFormatBuilder part(KeyPart part) {
    parts.add(part);
    return this;
  }

  /**
   * Returns the format.
   *
   * @throws IllegalArgumentException if a part cannot stand where it does; it names the part and
   *     the remedy
   */
  public KeyFormat build() {
    return new KeyFormat(parts);
  }
}
