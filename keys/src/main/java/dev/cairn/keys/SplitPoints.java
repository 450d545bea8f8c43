package dev.cairn.keys;

import dev.cairn.keys.type.HashedType;
import dev.cairn.keys.type.UuidType;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/** Computes the keys at which a table is divided into regions. */
final class SplitPoints {
  /** Hashes are divided by their first bytes. */
  private static final int MOST_BYTES = 8;

  private static final BigInteger BYTE_VALUES = BigInteger.valueOf(1 << Byte.SIZE);

  private SplitPoints() {}

  /** One of the parts with which keys begin: bytes that are fixed, or of a known even spread. */
  private record Digit(byte[] fixed, BigInteger values, int width) {
    /** Returns whether it has one value only. */
    boolean isFixed() {
      return fixed.length > 0;
    }
  }

  static byte[][] even(KeyFormat format, int regions) {
    checkRegions(regions);
    List<Digit> digits = spreadDigits(format);
    BigInteger all =
        digits.stream().map(Digit::values).reduce(BigInteger.ONE, BigInteger::multiply);
    BigInteger wanted = BigInteger.valueOf(regions);
    if (regions > 1 && all.equals(BigInteger.ONE)) {
      throw new IllegalArgumentException(
          "keys do not begin with a salt, a hash or a uuid, so their spread is not known; "
              + "give a sample of keys");
    }
    if (all.compareTo(wanted) < 0) {
      throw new IllegalArgumentException(
          "keys have "
              + all
              + " buckets, which are too few for "
              + regions
              + " regions; give a sample of keys");
    }
    byte[][] splits = new byte[regions - 1][];
    for (int i = 1; i < regions; i++) {
      BigInteger[] place = all.multiply(BigInteger.valueOf(i)).divideAndRemainder(wanted);
      BigInteger index = place[1].signum() == 0 ? place[0] : place[0].add(BigInteger.ONE);
      splits[i - 1] = key(digits, index);
    }
    return splits;
  }

  /** Returns the first parts as long as their spread is known. */
  private static List<Digit> spreadDigits(KeyFormat format) {
    List<Digit> digits = new ArrayList<>();
    for (KeyPart part : format.parts()) {
      if (part instanceof LiteralPart literal) {
        digits.add(new Digit(literal.bytes(), BigInteger.ONE, literal.bytes().length));
      } else if (part instanceof SaltPart salt) {
        digits.add(new Digit(new byte[0], BigInteger.valueOf(salt.buckets()), salt.width()));
      } else {
        int hashed = hashedBytes(part);
        if (hashed > 0) {
          int width = Math.min(hashed, MOST_BYTES);
          digits.add(new Digit(new byte[0], BYTE_VALUES.pow(width), width));
        }
        return digits;
      }
    }
    return digits;
  }

  private static int hashedBytes(KeyPart part) {
    if (part instanceof HashPart hash) {
      return hash.width();
    }
    ValuePart value = (ValuePart) part;
    boolean spread = value.type() instanceof HashedType || value.type() instanceof UuidType;
    return spread ? value.type().widthBits() / Byte.SIZE : 0;
  }

  private static byte[] key(List<Digit> digits, BigInteger index) {
    BigInteger rest = index;
    byte[][] parts = new byte[digits.size()][];
    for (int i = parts.length - 1; i >= 0; i--) {
      Digit digit = digits.get(i);
      if (digit.isFixed()) {
        parts[i] = digit.fixed();
      } else {
        BigInteger[] divided = rest.divideAndRemainder(digit.values());
        rest = divided[0];
        parts[i] = bytes(divided[1], digit.width());
      }
    }
    return joined(parts);
  }

  /** Joins the parts without those zeros at the end that do not change which keys are before. */
  private static byte[] joined(byte[][] parts) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    int end = 0;
    for (byte[] part : parts) {
      joined.writeBytes(part);
      for (int i = 0; i < part.length; i++) {
        if (part[i] != 0) {
          end = joined.size() - part.length + i + 1;
        }
      }
    }
    return Arrays.copyOf(joined.toByteArray(), end);
  }

  private static byte[] bytes(BigInteger number, int width) {
    byte[] signed = number.toByteArray();
    byte[] bytes = new byte[width];
    int kept = Math.min(width, signed.length);
    System.arraycopy(signed, signed.length - kept, bytes, width - kept, kept);
    return bytes;
  }

  static byte[][] ofSample(int regions, Collection<byte[]> sample) {
    checkRegions(regions);
    List<byte[]> sorted = new ArrayList<>(sample);
    sorted.sort(Arrays::compareUnsigned);
    TreeSet<byte[]> splits = new TreeSet<>(Arrays::compareUnsigned);
    for (int i = 1; i < regions && !sorted.isEmpty(); i++) {
      byte[] key = sorted.get((int) ((long) i * sorted.size() / regions));
      boolean first = Arrays.equals(key, sorted.get(0));
      if (!first) {
        splits.add(key);
      }
    }
    return splits.toArray(byte[][]::new);
  }

  private static void checkRegions(int regions) {
    if (regions < 1) {
      throw new IllegalArgumentException(regions + " regions; at least one is needed");
    }
  }
}
