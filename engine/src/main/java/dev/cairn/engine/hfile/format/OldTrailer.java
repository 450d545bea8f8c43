package dev.cairn.engine.hfile.format;

import dev.cairn.engine.cell.Bytes;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HFileProtos.FileTrailerProto;

/**
 * The trailer as HBase 0.92 and 0.94 wrote it, after its magic:
 *
 * <pre>
 *   long fileInfoOffset | long loadOnOpenOffset | int dataIndexCount | long uncompressedIndexSize |
 *   int metaIndexCount | long totalUncompressedBytes | long entryCount | int compression |
 *   int indexLevels | long firstDataBlockOffset | long lastDataBlockOffset | comparator's name in
 *   128 bytes, filled up with zeros
 * </pre>
 */
final class OldTrailer {
  private static final int NAME_SIZE = 128;

  private OldTrailer() {}

  /** Reads the fields at {@code offset}, where there are enough bytes; checks nothing else. */
  static FileTrailerProto read(byte[] bytes, int offset) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    in.position(offset);
    FileTrailerProto.Builder message =
        FileTrailerProto.newBuilder()
            .setFileInfoOffset(in.getLong())
            .setLoadOnOpenDataOffset(in.getLong())
            .setDataIndexCount(in.getInt())
            .setUncompressedDataIndexSize(in.getLong())
            .setMetaIndexCount(in.getInt())
            .setTotalUncompressedBytes(in.getLong())
            .setEntryCount(in.getLong())
            .setCompressionCodec(in.getInt())
            .setNumDataIndexLevels(in.getInt())
            .setFirstDataBlockOffset(in.getLong())
            .setLastDataBlockOffset(in.getLong());
    byte[] name = new byte[NAME_SIZE];
    in.get(name);
    return message.setComparatorClassName(Bytes.utf8(name).replace("\0", "").trim()).build();
  }
}
