package dev.cairn.engine.schema;

import dev.cairn.engine.cell.Bytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * HBase's formats of a region: the message, and the file {@code .regioninfo} (the magic {@code
 * PBUF}, the message's length and the message, at its end a {@link MessageChecksum}).
 */
public final class RegionInfoFormat {
  private static final byte[] MAGIC = Bytes.utf8("PBUF");

  private RegionInfoFormat() {}

  /** Returns the region as a message. */
  public static HBaseProtos.RegionInfo toMessage(RegionInfo region) {
    return HBaseProtos.RegionInfo.newBuilder()
        .setTableName(TableSchema.message(region.table()))
        .setRegionId(region.regionId())
        .setStartKey(UnsafeByteOperations.unsafeWrap(region.startKey()))
        .setEndKey(UnsafeByteOperations.unsafeWrap(region.endKey()))
        .setOffline(region.offline())
        .setSplit(region.split())
        .setReplicaId(region.replicaId())
        .build();
  }

  /**
   * Returns the region that a message describes.
   *
   * @throws IllegalArgumentException if its table's name is impossible
   */
  public static RegionInfo fromMessage(HBaseProtos.RegionInfo message) {
    TableName table =
        new TableName(
            message.getTableName().getNamespace().toStringUtf8(),
            message.getTableName().getQualifier().toStringUtf8());
    if (table.isMeta() && message.getReplicaId() == 0) {
      return RegionInfo.META;
    }
    return new RegionInfo(
        table,
        message.getStartKey().toByteArray(),
        message.getEndKey().toByteArray(),
        message.getRegionId(),
        message.getReplicaId(),
        message.getOffline(),
        message.getSplit());
  }

  /** Returns the content of the file {@code .regioninfo}. */
  public static byte[] toFile(RegionInfo region) {
    byte[] message = toMessage(region).toByteArray();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      bytes.write(MAGIC);
      CodedOutputStream output = CodedOutputStream.newInstance(bytes);
      output.writeUInt32NoTag(message.length + MessageChecksum.SIZE);
      output.flush();
      bytes.write(message);
    } catch (IOException e) {
      throw new IllegalStateException("Writing to memory cannot fail", e);
    }
    return MessageChecksum.append(bytes.toByteArray());
  }

  /**
   * Reads the content of the file {@code .regioninfo}.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static RegionInfo fromFile(byte[] content) {
    checkMagic(content);
    try {
      HBaseProtos.RegionInfo message =
          HBaseProtos.RegionInfo.parseDelimitedFrom(
              new ByteArrayInputStream(content, MAGIC.length, content.length - MAGIC.length));
      if (!MessageChecksum.holds(message.getUnknownFields(), content)) {
        throw new IllegalArgumentException(
            "Not a region's description: it is damaged, its checksum does not hold");
      }
      return fromMessage(message);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "Not a region's description: its message is cut or damaged", e);
    }
  }

  private static void checkMagic(byte[] bytes) {
    if (bytes.length <= MAGIC.length
        || !Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw new IllegalArgumentException("Not a region's description: it does not begin with PBUF");
    }
  }
}
