package dev.cairn.engine.hfile.format;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.storage.ReadableFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HFileProtos.FileTrailerProto;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * The last bytes of a file: where everything else is.
 *
 * <pre>
 *   version 3, 4096 bytes: magic[8] | varint length, FileTrailerProto | zeros | seal | version
 *   version 2, 212 bytes:  magic[8] | the same, or before minor version 2 {@link OldTrailer} |
 *                          zeros | version
 *   seal:                  zeros, or "CRC." | int CRC32C of the trailer with zeros in these 4 bytes
 *   version:               int minor &lt;&lt; 24 | major
 * </pre>
 *
 * <p>HBase's format leaves the trailer without a checksum. The seal lies in the padding, which
 * HBase's readers ignore; without a seal, the padding is all zeros.
 *
 * @param offset where the trailer begins in the file
 * @param major the version of the format, 2 or 3
 * @param minor the minor version, 0 to 3
 * @param message the fields of the trailer
 */
public record Trailer(long offset, int major, int minor, FileTrailerProto message) {
  private static final byte[] MAGIC = Bytes.utf8("TRABLK\"$");
  private static final byte[] SEAL = Bytes.utf8("CRC.");
  private static final int VERSION_SIZE = 4;
  private static final int SEAL_SIZE = SEAL.length + Integer.BYTES;
  private static final int VERSION_1_SIZE = 60;
  private static final int VERSION_2_SIZE = 212;

  /** The first minor version of version 2 whose trailer is a message. */
  private static final int MINOR_WITH_MESSAGE = 2;

  /** Returns the bytes of a trailer. */
  public static byte[] toBytes(FileTrailerProto message) throws IOException {
    ByteArrayOutputStream start = new ByteArrayOutputStream();
    start.write(MAGIC);
    message.writeDelimitedTo(start);
    int sealAt = HFileFormat.TRAILER_SIZE - VERSION_SIZE - SEAL_SIZE;
    if (start.size() > sealAt) {
      throw new IOException("A trailer of " + start.size() + " bytes");
    }
    byte[] bytes = Arrays.copyOf(start.toByteArray(), HFileFormat.TRAILER_SIZE);
    System.arraycopy(SEAL, 0, bytes, sealAt, SEAL.length);
    Bytes.putInt(
        bytes,
        HFileFormat.TRAILER_SIZE - VERSION_SIZE,
        HFileFormat.MINOR_VERSION << 24 | HFileFormat.MAJOR_VERSION);
    Bytes.putInt(bytes, sealAt + SEAL.length, checksum(bytes));
    return bytes;
  }

  /**
   * Reads the trailer of a file.
   *
   * @throws CorruptFileException if there is none, or it is damaged
   * @throws UnsupportedFileException if the file is of a version that cannot be read
   */
  public static Trailer read(ReadableFile file) throws IOException {
    int length = (int) Math.min(file.length(), HFileFormat.TRAILER_SIZE);
    long start = file.length() - length;
    byte[] bytes = new byte[length];
    file.readFully(start, bytes, 0, length);
    if (length < VERSION_1_SIZE) {
      throw new CorruptFileException(
          file.path(), 0, "at least " + VERSION_1_SIZE + " bytes", length + " bytes");
    }
    return new Parser(file.path(), bytes, start).parse();
  }

  /** Returns the size of the trailer in the file, bytes. */
  int size() {
    return major == 2 ? VERSION_2_SIZE : HFileFormat.TRAILER_SIZE;
  }

  /** Returns the layout of the file's blocks. */
  public BlockLayout blocks() {
    return major == 2 && minor == 0 ? BlockLayout.WITHOUT_CHECKSUMS : BlockLayout.WITH_CHECKSUMS;
  }

  /**
   * Returns the name under which HBase writes an order: that of HBase 1's class, so that older
   * versions read the file, too.
   */
  public static String comparatorName(CellComparator comparator) {
    return comparator == CellComparator.META
        ? "org.apache.hadoop.hbase.KeyValue$MetaComparator"
        : "org.apache.hadoop.hbase.KeyValue$KVComparator";
  }

  /** Tells whether {@code name} is one of those of {@code comparator}, in any version of HBase. */
  public static boolean isComparator(String name, CellComparator comparator) {
    String simple = name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
    boolean known =
        switch (simple) {
          case "MetaComparator", "MetaKeyComparator", "MetaCellComparator" ->
              comparator == CellComparator.META;
          case "KVComparator", "KeyComparator", "CellComparator", "CellComparatorImpl" ->
              comparator == CellComparator.USER;
          default -> false;
        };
    return known && name.startsWith("org.apache.hadoop.hbase.");
  }

  /** Returns the checksum of a whole trailer, without the seal's last four bytes. */
  private static int checksum(byte[] bytes) {
    int at = bytes.length - VERSION_SIZE - Integer.BYTES;
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, at);
    crc.update(new byte[Integer.BYTES], 0, Integer.BYTES);
    crc.update(bytes, at + Integer.BYTES, bytes.length - at - Integer.BYTES);
    return (int) crc.getValue();
  }

  /** Looks at the last bytes of a file. */
  private record Parser(String path, byte[] bytes, long offset) {
    Trailer parse() throws IOException {
      int version = Bytes.getInt(bytes, bytes.length - VERSION_SIZE);
      int major = version & 0xFFFFFF;
      int minor = version >>> 24;
      if (major == 1 && hasMagic(VERSION_1_SIZE)) {
        throw new UnsupportedFileException(
            path,
            "it has format version 1, which HBase wrote until 0.92; a major compaction with HBase"
                + " 0.94 rewrites it");
      }
      if ((major != 2 && major != 3) || minor > HFileFormat.MINOR_VERSION) {
        throw corrupt(
            bytes.length - VERSION_SIZE,
            "format version 2.0 to 2.3 or 3.0 to 3.3",
            major + "." + minor);
      }
      int size = major == 2 ? VERSION_2_SIZE : HFileFormat.TRAILER_SIZE;
      int start = Math.max(0, bytes.length - size);
      if (!hasMagic(size)) {
        throw corrupt(
            start,
            "a trailer that begins with " + Bytes.toStringBinary(MAGIC),
            bytes.length < size
                ? bytes.length + " bytes instead of " + size
                : Bytes.toStringBinary(bytes, start, MAGIC.length));
      }
      if (major == 2 && minor < MINOR_WITH_MESSAGE) {
        FileTrailerProto message = OldTrailer.read(bytes, start + MAGIC.length);
        return new Trailer(offset + start, major, minor, message);
      }
      return new Trailer(offset + start, major, minor, message(start, major == 3));
    }

    private boolean hasMagic(int size) {
      int at = bytes.length - size;
      return at >= 0 && Arrays.equals(bytes, at, at + MAGIC.length, MAGIC, 0, MAGIC.length);
    }

    private FileTrailerProto message(int start, boolean sealable) throws IOException {
      int end = bytes.length - VERSION_SIZE;
      int sealAt = end - SEAL_SIZE;
      boolean sealed =
          sealable && Arrays.equals(bytes, sealAt, sealAt + SEAL.length, SEAL, 0, SEAL.length);
      if (sealed && Bytes.getInt(bytes, sealAt + SEAL.length) != checksum(bytes)) {
        throw corrupt(
            start,
            "a trailer with checksum "
                + Integer.toHexString(Bytes.getInt(bytes, sealAt + SEAL.length)),
            Integer.toHexString(checksum(bytes)));
      }
      ByteArrayInputStream in =
          new ByteArrayInputStream(
              bytes, start + MAGIC.length, (sealed ? sealAt : end) - start - MAGIC.length);
      try {
        FileTrailerProto message = FileTrailerProto.parseDelimitedFrom(in);
        if (message == null) {
          throw corrupt(start, "a trailer", "nothing");
        }
        for (byte padding : in.readAllBytes()) {
          if (padding != 0) {
            throw corrupt(start, "zeros behind the trailer's message", "something else");
          }
        }
        return message;
      } catch (InvalidProtocolBufferException e) {
        throw new CorruptFileException(path, offset + start, "a trailer", e);
      }
    }

    private CorruptFileException corrupt(int at, String expected, String found) {
      return new CorruptFileException(path, offset + at, expected, found);
    }
  }

  /**
   * The layout of a file's blocks around their bodies.
   *
   * @param headerSize size of the header before the body, bytes
   * @param checksums true if the header has checksum fields and checksums follow the body
   */
  public record BlockLayout(int headerSize, boolean checksums) {
    /** The layout that is written today. */
    static final BlockLayout WITH_CHECKSUMS = new BlockLayout(HFileFormat.HEADER_SIZE, true);

    /** The layout of HBase 0.92 (version 2.0): a header without the checksum fields. */
    static final BlockLayout WITHOUT_CHECKSUMS =
        new BlockLayout(HFileFormat.CHECKSUM_TYPE_AT, false);
  }
}
