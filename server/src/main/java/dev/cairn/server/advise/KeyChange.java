package dev.cairn.server.advise;

import dev.cairn.engine.cell.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/** Another design of row keys. */
sealed interface KeyChange {
  /**
   * Returns the key that a call would use instead.
   *
   * @param call the call's place among all
   */
  byte[] apply(byte[] row, int call);

  /** Returns the borders of regions that suit the keys; empty if they depend on the keys. */
  default List<byte[]> borders(int regions) {
    return List.of();
  }

  /** Tells how many places a short scan would have to read. */
  default int places() {
    return 1;
  }

  /** The present keys. */
  record Same() implements KeyChange {
    @Override
    public byte[] apply(byte[] row, int call) {
      return row;
    }
  }

  /** The CRC-32 of the row, modulo the buckets, as decimal digits and a hyphen, before the row. */
  record Salt(int buckets) implements KeyChange {
    @Override
    public byte[] apply(byte[] row, int call) {
      CRC32 hash = new CRC32();
      hash.update(row);
      return Bytes.concat(salt((int) (hash.getValue() % buckets)), row);
    }

    private static byte[] salt(int bucket) {
      return Bytes.utf8(String.format(Locale.ROOT, "%02d-", bucket));
    }

    @Override
    public List<byte[]> borders(int regions) {
      return IntStream.range(1, buckets).mapToObj(Salt::salt).toList();
    }

    @Override
    public int places() {
      return buckets;
    }
  }

  /** Four hexadecimal digits of the MD5 of the row, and a hyphen, before the row. */
  record Hash() implements KeyChange {
    private static final int VALUES = 1 << 16;

    @Override
    public byte[] apply(byte[] row, int call) {
      return Bytes.concat(Bytes.utf8(Bytes.md5(row).substring(0, 4) + "-"), row);
    }

    @Override
    public List<byte[]> borders(int regions) {
      return IntStream.range(1, regions)
          .mapToObj(i -> Bytes.utf8(String.format(Locale.ROOT, "%04x", VALUES / regions * i)))
          .toList();
    }
  }

  /** The bytes of the row from last to first. */
  record Reverse() implements KeyChange {
    @Override
    public byte[] apply(byte[] row, int call) {
      byte[] reversed = new byte[row.length];
      for (int i = 0; i < row.length; i++) {
        reversed[i] = row[row.length - 1 - i];
      }
      return reversed;
    }
  }

  /** The complement of all bytes after a prefix, so that growing keys fall. */
  record Falling(int prefix) implements KeyChange {
    @Override
    public byte[] apply(byte[] row, int call) {
      byte[] falling = row.clone();
      for (int i = prefix; i < row.length; i++) {
        falling[i] = (byte) ~row[i];
      }
      return falling;
    }
  }

  /** One row divided into several, which calls use in turn. */
  record Divide(byte[] hot, int parts) implements KeyChange {
    @Override
    public byte[] apply(byte[] row, int call) {
      byte[] part = ("-" + call % parts).getBytes(StandardCharsets.UTF_8);
      return Arrays.equals(row, hot) ? Bytes.concat(row, part) : row;
    }
  }
}
