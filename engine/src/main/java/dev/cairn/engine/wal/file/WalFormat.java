package dev.cairn.engine.wal.file;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos;

/**
 * The layout of a log file: HBase 2's protobuf log, as its {@code WAL.proto} and its reader define
 * it, with a few fields of ours that its reader passes over.
 *
 * <pre>
 *   "PWAL"  varint length  WALHeader
 *   per entry:  varint length  WALKey  then following_kv_count times:  int length  cell
 *   WALTrailer  int length  "LAWP"                 only if the file was closed in good order
 * </pre>
 *
 * <p>With compression, which the header names, a cell has the form that {@link CellDecoder}
 * documents, and names in the key have the form of names there, as have the values of attributes,
 * which share the dictionary of tables.
 *
 * <p>Ours, all under field numbers that HBase does not use:
 *
 * <ul>
 *   <li>in the header a <b>salt</b> that differs from file to file, and a checksum of the header;
 *   <li>in each key the length and the checksum of the entry's cells, a checksum of the key itself
 *       (from its length prefix on), and the <b>durable offset</b>: up to where the file had been
 *       synced before this entry was written; where the log promises only that entries survive a
 *       killed process, also the <b>flushed offset</b>, up to where it had been handed to the
 *       operating system;
 *   <li>in the trailer the salt again. All its bytes are known beforehand, so that it is one or
 *       none.
 * </ul>
 *
 * <p>Checksums are CRC-32C, mixed with the salt, so that log bytes which a user stores in a cell
 * are never taken for entries. The offsets tell a torn tail from a damaged file; see {@link
 * TornTailCheck}. (The idea is that of Pebble's "WAL sync chunks".)
 */
final class WalFormat {
  /** First bytes of a file. */
  static final byte[] MAGIC = {'P', 'W', 'A', 'L'};

  /** Last bytes of a file that was closed in good order. */
  static final byte[] TRAILER_MAGIC = {'L', 'A', 'W', 'P'};

  /** The size of the bytes after the trailer: its length and the magic. */
  static final int TRAILER_SUFFIX_SIZE = 8;

  /** The length of a trailer of ours: the salt and its tag. */
  static final int TRAILER_SIZE = 10;

  /** HBase's reader takes only files from writers that it knows. */
  static final String WRITER_CLASS = "ProtobufLogWriter";

  /** The form of the cells: an int length, then the KeyValue with its tags. */
  static final String CODEC_CLASS = "org.apache.hadoop.hbase.regionserver.wal.WALCellCodec";

  /** No header and no trailer is longer. */
  static final int HEADER_LENGTH_MAX = 64 << 10;

  /** No key is longer, whatever attributes it carries. */
  static final int KEY_LENGTH_MAX = 1 << 20;

  static final int KEY_REGION = 1;
  static final int KEY_TABLE = 2;
  static final int KEY_SEQUENCE = 3;
  static final int KEY_WRITE_TIME = 4;
  static final int KEY_SCOPES = 6;
  static final int KEY_CELL_COUNT = 7;
  static final int KEY_CLUSTER_IDS = 8;
  static final int KEY_NONCE_GROUP = 9;
  static final int KEY_NONCE = 10;
  static final int KEY_ATTRIBUTES = 12;

  // The fields of the message Attribute.
  static final int ATTRIBUTE_NAME = 1;
  static final int ATTRIBUTE_VALUE = 2;

  // The fields of the message UUID.
  static final int UUID_LEAST = 1;
  static final int UUID_MOST = 2;

  static final int KEY_CELLS_LENGTH = 1000;
  static final int KEY_DURABLE_OFFSET = 1001;
  static final int KEY_CELLS_CHECKSUM = 1002;
  static final int KEY_CHECKSUM = 1003;
  static final int KEY_FLUSHED_OFFSET = 1004;

  static final int SCOPE_FAMILY = 1;

  static final int HEADER_SALT = 1000;
  static final int HEADER_CHECKSUM = 1001;
  static final int TRAILER_SALT = 1000;

  static final int WIRE_VARINT = 0;
  static final int WIRE_FIXED64 = 1;
  static final int WIRE_BYTES = 2;
  static final int WIRE_FIXED32 = 5;

  /** A fixed32 field with a number of ours: two bytes of tag, four of value. */
  static final int CHECKSUM_FIELD_SIZE = 6;

  private WalFormat() {}

  /** Returns the tag of a protobuf field. */
  static int tag(int field, int wireType) {
    return field << 3 | wireType;
  }

  /** Returns a number that differs from file to file, made of the file's path. */
  static long salt(String path) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < path.length(); i++) {
      hash = (hash ^ path.charAt(i)) * 0x100000001b3L;
    }
    hash = (hash ^ hash >>> 32) * 0xd6e8feb86659fd93L;
    return hash ^ hash >>> 32;
  }

  /** Returns the checksum of cells in a file with {@code salt}. */
  static int cellsChecksum(CRC32C crc, byte[] bytes, int offset, int length, long salt) {
    return checksum(crc, bytes, offset, length) ^ (int) (salt >>> 32);
  }

  /** Returns the checksum of the block of {@code cells} in a file with {@code salt}. */
  static int cellsChecksum(CRC32C crc, CellBuffer cells, long salt) {
    crc.reset();
    for (int piece = 0; piece < cells.pieces(); piece++) {
      crc.update(cells.piece(piece), 0, cells.pieceSize(piece));
    }
    return (int) crc.getValue() ^ (int) (salt >>> 32);
  }

  /** Returns the checksum of a key, length prefix included, in a file with {@code salt}. */
  static int keyChecksum(CRC32C crc, byte[] bytes, int offset, int length, long salt) {
    return checksum(crc, bytes, offset, length) ^ (int) salt;
  }

  private static int checksum(CRC32C crc, byte[] bytes, int offset, int length) {
    crc.reset();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }

  /**
   * Appends all bytes before the first entry. The salt comes first and the checksum last, so that
   * no part of a header of ours passes for a whole one of HBase's.
   */
  static void writeHeader(WalBuffer target, long salt, WalCompression compression) {
    WALProtos.WALHeader.Builder message =
        WALProtos.WALHeader.newBuilder()
            .setWriterClsName(WRITER_CLASS)
            .setCellCodecClsName(CODEC_CLASS);
    if (compression.dictionary()) {
      message.setHasCompression(true);
      message.setHasTagCompression(compression.tags());
      message.setHasValueCompression(compression.values().isPresent());
      compression.values().ifPresent(values -> message.setValueCompressionAlgorithm(values.code()));
    }
    byte[] known = message.build().toByteArray();
    WalBuffer header = new WalBuffer();
    header.putVarint(tag(HEADER_SALT, WIRE_FIXED64));
    header.putFixed64(salt);
    header.putBytes(known, 0, known.length);
    header.putVarint(tag(HEADER_CHECKSUM, WIRE_FIXED32));
    header.putFixed32(checksum(new CRC32C(), header.bytes(), 0, header.size()));
    target.putBytes(MAGIC, 0, MAGIC.length);
    target.putVarint(header.size());
    target.putBytes(header.bytes(), 0, header.size());
  }

  /** Tells whether a header of ours ends in its right checksum. */
  static boolean headerChecksumHolds(byte[] header) {
    int covered = header.length - 4;
    return covered >= 0
        && checksum(new CRC32C(), header, 0, covered)
            == Integer.reverseBytes(Bytes.getInt(header, covered));
  }

  /** Returns the length of the longest thing that {@link #writeHeader} writes. */
  static int headerSizeMax() {
    WalBuffer buffer = new WalBuffer();
    writeHeader(buffer, 0, new WalCompression(true, true, Optional.of(WalValueCompression.GZ)));
    return buffer.size();
  }

  /** Appends all bytes after the last entry. */
  static void writeTrailer(WalBuffer target, long salt) {
    target.putVarint(tag(TRAILER_SALT, WIRE_FIXED64));
    target.putFixed64(salt);
    target.putInt(TRAILER_SIZE);
    target.putBytes(TRAILER_MAGIC, 0, TRAILER_MAGIC.length);
  }
}
