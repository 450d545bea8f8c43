package dev.cairn.engine.hfile.format;

import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/** The checksum algorithms of blocks. */
public enum ChecksumType {
  /** No checksums; their bytes are zeros. */
  NULL,
  /** The CRC of gzip. */
  CRC32,
  /** Castagnoli's CRC, which processors compute. */
  CRC32C;

  /** The length of one checksum, bytes. */
  public static final int SIZE = 4;

  /** Returns the type with {@code code}, or null if there is none. */
  public static ChecksumType of(int code) {
    return code >= 0 && code < values().length ? values()[code] : null;
  }

  /** Returns the number of checksum bytes for {@code length} bytes, as a long. */
  public static long size(int length, int bytesPerChecksum) {
    return ((long) length + bytesPerChecksum - 1) / bytesPerChecksum * SIZE;
  }

  /** Returns a sum that has seen nothing yet. */
  public Checksum start() {
    return switch (this) {
      case NULL -> new None();
      case CRC32 -> new CRC32();
      case CRC32C -> new CRC32C();
    };
  }

  /** A sum that is always zero. */
  private static final class None implements Checksum {
    @Override
    public void update(int b) {}

    @Override
    public void update(byte[] bytes, int offset, int length) {}

    @Override
    public long getValue() {
      return 0;
    }

    @Override
    public void reset() {}
  }
}
