package dev.cairn.keys;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;

/** Salts and hashes: the parts whose bytes follow from those of other parts. */
final class Computed {
  private Computed() {}

  static boolean isComputed(KeyPart part) {
    return part instanceof SaltPart || part instanceof HashPart;
  }

  /** Returns the width of a computed part in bytes. */
  static int width(KeyPart part) {
    return part instanceof SaltPart salt ? salt.width() : ((HashPart) part).width();
  }

  /** Returns the names of the parts that a computed one is of; none for all that follow. */
  static List<String> of(KeyPart part) {
    return part instanceof SaltPart salt ? salt.of() : ((HashPart) part).of();
  }

  /** Returns the bytes of a computed part, of a key whose later parts are complete. */
  static byte[] compute(
      KeyFormat format, int index, byte[] key, PartBounds bounds, Object[] values) {
    KeyPart part = format.parts().get(index);
    if (part instanceof SaltPart salt && salt.bucketing() instanceof Bucketing.Modulo) {
      int at = format.indexOf(salt.of().get(0));
      return bytes(salt, modulo(salt, format.valueParts().get(at), values[at]));
    }
    byte[] hashed =
        of(part).isEmpty()
            ? Arrays.copyOfRange(key, bounds.start(index) + width(part), key.length)
            : named(format, part, key, bounds);
    return ofBytes(part, hashed);
  }

  private static byte[] named(KeyFormat format, KeyPart part, byte[] key, PartBounds bounds) {
    ByteArrayOutputStream hashed = new ByteArrayOutputStream();
    for (String name : of(part)) {
      int at = format.parts().indexOf(format.valueParts().get(format.indexOf(name)));
      hashed.write(key, bounds.start(at), bounds.end(at) - bounds.start(at));
    }
    return hashed.toByteArray();
  }

  /** Returns the bytes of a part that is computed from these bytes. */
  static byte[] ofBytes(KeyPart part, byte[] hashed) {
    if (part instanceof HashPart hash) {
      return hash.function().hash(hashed, hash.width());
    }
    SaltPart salt = (SaltPart) part;
    return bytes(
        salt,
        salt.bucketing() instanceof Bucketing.Hashed by
            ? by.function().bucket(hashed, salt.buckets())
            : phoenixBucket(hashed, salt.buckets()));
  }

  /** Returns the bucket of a value of the part that a salt by modulo is of. */
  static int modulo(SaltPart salt, ValuePart part, Object value) {
    return (int) Math.floorMod(part.type().toNumber(value), (long) salt.buckets());
  }

  /** Returns the bytes of a salt with this bucket. */
  static byte[] bytes(SaltPart salt, int bucket) {
    return salt.width() == 1
        ? new byte[] {(byte) bucket}
        : new byte[] {(byte) (bucket >>> Byte.SIZE), (byte) bucket};
  }

  /** Phoenix takes the hash of Java's arrays. */
  private static int phoenixBucket(byte[] rest, int buckets) {
    return Math.abs(Arrays.hashCode(rest) % buckets);
  }
}
