package dev.cairn.keys;

import dev.cairn.keys.type.KeyMismatchException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The format of a table's row keys: a list of parts. It turns values into keys that sort, byte by
 * byte, as the values do part by part, and keys into values. {@link #toString} returns the text
 * form, which {@link #parse} reads; {@link #builder} is the other way to declare it.
 *
 * <p>Values are given in the order of the parts that have names. Immutable and safe for use by
 * several threads.
 */
public final class KeyFormat {
  /** The attribute of a table that has the text form of its keys' format. */
  public static final String TABLE_ATTRIBUTE = "KEY_FORMAT";

  private final List<KeyPart> parts;
  private final List<ValuePart> valueParts;

  /** The last part if it is ascending and has a value; or {@code null}. */
  private final ValuePart openPart;

  private final KeyEncoder encoder;
  private final KeyDecoder decoder;

  KeyFormat(List<KeyPart> parts) {
    this.parts = List.copyOf(parts);
    FormatCheck.check(this.parts);
    valueParts =
        this.parts.stream().filter(ValuePart.class::isInstance).map(ValuePart.class::cast).toList();
    boolean open =
        this.parts.get(this.parts.size() - 1) instanceof ValuePart last && !last.descending();
    openPart = open ? valueParts.get(valueParts.size() - 1) : null;
    encoder = new KeyEncoder(this);
    decoder = new KeyDecoder(this);
  }

  /**
   * Reads the text form, for example {@code salt(16), host string, time long desc}.
   *
   * @throws FormatException if the text is not a format; it names the position and the remedy
   */
  public static KeyFormat parse(String text) {
    return FormatText.parse(text);
  }

  /** Begins a declaration. */
  public static KeyFormatBuilder builder() {
    return new KeyFormatBuilder();
  }

  /** Returns all parts in their order. */
  public List<KeyPart> parts() {
    return parts;
  }

  /** Returns the parts that have values, in their order. */
  public List<ValuePart> valueParts() {
    return valueParts;
  }

  /** Returns the salt, if the key has one. */
  public Optional<SaltPart> salt() {
    return parts.get(0) instanceof SaltPart salt ? Optional.of(salt) : Optional.empty();
  }

  /** Returns how many bytes at the beginning of a key are its salt. */
  public int saltWidth() {
    return salt().map(SaltPart::width).orElse(0);
  }

  /**
   * Returns the key of these values, one for each named part.
   *
   * @throws IllegalArgumentException if a value is missing or its part does not have it
   */
  public byte[] encode(Object... values) {
    return encoder.encode(values);
  }

  /**
   * Returns the key of these values by the names of their parts.
   *
   * @throws IllegalArgumentException if a value is missing, is of no part, or its part does not
   *     have it
   */
  public byte[] encode(Map<String, ?> values) {
    return encoder.encode(inOrder(values));
  }

  /**
   * Returns the values of a key.
   *
   * @throws KeyMismatchException if the bytes are not a key of this format
   */
  public KeyValues decode(byte[] key) {
    return decoder.decode(key);
  }

  /**
   * Returns a key as text, such as {@code host="web1" time=2026-01-02T03:04:05Z}; and bytes that
   * are not a key of this format as {@code Bytes.toStringBinary} writes them.
   */
  public String print(byte[] key) {
    return KeyText.print(this, key);
  }

  /** Returns the values of the first parts that bytes at the beginning of a key have whole. */
  List<Object> decodePrefix(byte[] prefix) {
    return decoder.decodePrefix(prefix);
  }

  /**
   * Reads the text of a key that {@link #print} wrote. Strings without blanks need no quotes.
   *
   * @throws IllegalArgumentException if the text does not have one value for each named part
   */
  public byte[] parseKey(String text) {
    return encoder.encode(inOrder(KeyText.parse(this, text)));
  }

  /**
   * Returns where the keys are whose first values are these: one range, or one for each bucket if
   * the values do not say which bucket it is.
   *
   * @param prefix the values of the first named parts; none for all keys
   * @throws IllegalArgumentException if the keys are scattered, because a hash needs more values
   */
  public List<KeyRange> range(Object... prefix) {
    return prefixPattern(Arrays.asList(prefix)).exactRanges();
  }

  /**
   * Returns where the keys are that have the given first values, and a value of the next part in an
   * interval.
   *
   * @param prefix the values of the first named parts
   * @param from the least value of the next part, or {@code null} for no limit
   * @param to the value after the greatest one, or {@code null} for no limit
   * @throws IllegalArgumentException if the keys are scattered, because a hash needs more values,
   *     or because the next part does not sort as its values
   */
  public List<KeyRange> range(List<?> prefix, Object from, Object to) {
    if (prefix.size() >= valueParts.size()) {
      throw new IllegalArgumentException("no part is left for the interval");
    }
    return prefixPattern(prefix)
        .between(valueParts.get(prefix.size()).name(), from, to)
        .exactRanges();
  }

  private KeyPattern prefixPattern(List<?> prefix) {
    if (prefix.size() > valueParts.size()) {
      throw new IllegalArgumentException(
          prefix.size() + " values for " + valueParts.size() + " named parts");
    }
    KeyPattern pattern = pattern();
    for (int i = 0; i < prefix.size(); i++) {
      pattern = pattern.is(valueParts.get(i).name(), prefix.get(i));
    }
    return pattern;
  }

  /** Returns the pattern that all keys match, to be narrowed. */
  public KeyPattern pattern() {
    return new KeyPattern(this, Map.of());
  }

  /**
   * Returns the keys that divide a table into regions of equal parts of the buckets, hashes or
   * UUIDs with which keys begin.
   *
   * @param regions how many regions; there is one key less
   * @throws IllegalArgumentException if keys begin with something whose spread is not known, or
   *     there are fewer buckets than regions
   */
  public byte[][] splits(int regions) {
    return SplitPoints.even(this, regions);
  }

  /**
   * Returns the keys that divide a sample of keys into equal parts: fewer if the sample has too few
   * different keys.
   */
  public byte[][] splits(int regions, Collection<byte[]> sample) {
    return SplitPoints.ofSample(regions, sample);
  }

  /** Returns the position of a named part among the named parts. */
  int indexOf(String name) {
    for (int i = 0; i < valueParts.size(); i++) {
      if (valueParts.get(i).name().equals(name)) {
        return i;
      }
    }
    throw new IllegalArgumentException("no part is named " + name + "; there are " + names());
  }

  private List<String> names() {
    return valueParts.stream().map(ValuePart::name).toList();
  }

  /** Returns whether a part ends the key. */
  boolean isLast(ValuePart part) {
    return part == parts.get(parts.size() - 1);
  }

  /** Returns whether a part ends the key and needs no terminator. */
  boolean isOpen(ValuePart part) {
    return part == openPart;
  }

  private Object[] inOrder(Map<String, ?> values) {
    Object[] ordered = new Object[valueParts.size()];
    for (String name : values.keySet()) {
      ordered[indexOf(name)] = values.get(name);
    }
    if (values.size() != ordered.length) {
      throw new IllegalArgumentException("values of " + values.keySet() + " instead of " + names());
    }
    return ordered;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyFormat format && parts.equals(format.parts);
  }

  @Override
  public int hashCode() {
    return parts.hashCode();
  }

  /** Returns the text form on one line. */
  @Override
  public String toString() {
    return String.join(", ", parts.stream().map(KeyPart::toString).toList());
  }
}
