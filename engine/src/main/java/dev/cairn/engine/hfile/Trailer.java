package dev.cairn.engine.hfile;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellComparator;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HFileProtos.FileTrailerProto;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/** The last {@link HFileFormat#TRAILER_SIZE} bytes of a file: where everything else is. */
final class Trailer {
  private static final byte[] MAGIC = Bytes.utf8("TRABLK\"$");
  private static final int VERSION_AT = HFileFormat.TRAILER_SIZE - 4;

  private Trailer() {}

  /** Returns the bytes of a trailer. */
  static byte[] toBytes(FileTrailerProto message) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(HFileFormat.TRAILER_SIZE);
    bytes.write(MAGIC);
    message.writeDelimitedTo(bytes);
    bytes.write(new byte[VERSION_AT - bytes.size()]);
    bytes.write(Bytes.ofInt(HFileFormat.MINOR_VERSION << 24 | HFileFormat.MAJOR_VERSION));
    return bytes.toByteArray();
  }

  /**
   * Reads a trailer.
   *
   * @param bytes the file's end
   * @param offset where it begins in the file
   */
  static FileTrailerProto parse(byte[] bytes, String path, long offset) throws IOException {
    int version = Bytes.getInt(bytes, VERSION_AT);
    int major = version & 0xFFFFFF;
    int minor = version >>> 24;
    if (major == 1 || major == 2) {
      throw new UnsupportedFileException(
          path, "it has format version " + major + "; rewrite it with HBase's major compaction");
    }
    if (major != HFileFormat.MAJOR_VERSION || minor > HFileFormat.MINOR_VERSION) {
      throw new CorruptFileException(
          path, offset + VERSION_AT, "format version 3.0 to 3.3", major + "." + minor);
    }
    for (int i = 0; i < MAGIC.length; i++) {
      if (bytes[i] != MAGIC[i]) {
        throw new CorruptFileException(
            path,
            offset,
            Bytes.toStringBinary(MAGIC),
            Bytes.toStringBinary(bytes, 0, MAGIC.length));
      }
    }
    try {
      FileTrailerProto message =
          FileTrailerProto.parseDelimitedFrom(
              new ByteArrayInputStream(bytes, MAGIC.length, VERSION_AT - MAGIC.length));
      if (message == null) {
        throw new CorruptFileException(path, offset, "a trailer", "nothing");
      }
      return message;
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(path, offset, "a trailer", e);
    }
  }

  /**
   * Returns the name under which HBase writes an order: that of HBase 1's class, so that older
   * versions read the file, too.
   */
  static String comparatorName(CellComparator comparator) {
    return comparator == CellComparator.META
        ? "org.apache.hadoop.hbase.KeyValue$MetaComparator"
        : "org.apache.hadoop.hbase.KeyValue$KVComparator";
  }

  /** Tells whether {@code name} is one of those of {@code comparator}, in any version of HBase. */
  static boolean isComparator(String name, CellComparator comparator) {
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
}
