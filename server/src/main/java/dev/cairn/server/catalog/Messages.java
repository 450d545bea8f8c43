package dev.cairn.server.catalog;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.MessageChecksum;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.RegionInfoFormat;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.Parser;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Translates between the engine's values and HBase's protobuf messages, and knows the prefix {@code
 * PBUF} that HBase puts before a message that is alone in a file, cell or znode.
 */
public final class Messages {
  private static final byte[] MAGIC = Bytes.utf8("PBUF");

  private Messages() {}

  /** Returns the message that names {@code table}. */
  public static HBaseProtos.TableName message(TableName table) {
    return TableSchema.message(table);
  }

  /**
   * Returns the table that {@code message} names.
   *
   * @throws IllegalArgumentException if the name has characters that are not allowed
   */
  public static TableName tableName(HBaseProtos.TableName message) {
    return new TableName(
        message.getNamespace().toStringUtf8(), message.getQualifier().toStringUtf8());
  }

  /** Returns the message that describes {@code region}. */
  public static HBaseProtos.RegionInfo message(RegionInfo region) {
    return RegionInfoFormat.toMessage(region);
  }

  /** Returns the region that {@code message} describes. */
  public static RegionInfo regionInfo(HBaseProtos.RegionInfo message) {
    return RegionInfoFormat.fromMessage(message);
  }

  /** Returns the message that names a region by its whole name. */
  public static HBaseProtos.RegionSpecifier specifier(RegionInfo region) {
    return HBaseProtos.RegionSpecifier.newBuilder()
        .setType(HBaseProtos.RegionSpecifier.RegionSpecifierType.REGION_NAME)
        .setValue(wrap(region.regionName()))
        .build();
  }

  /** Returns the prefix followed by {@code message}'s bytes. */
  public static byte[] prefixed(Message message) {
    return Bytes.concat(MAGIC, message.toByteArray());
  }

  /**
   * Returns the bytes after the prefix.
   *
   * @param what the name of the bytes, for the error
   * @throws IOException if the bytes do not begin with it
   */
  public static byte[] unprefixed(byte[] bytes, String what) throws IOException {
    if (bytes.length < MAGIC.length || !Arrays.equals(MAGIC, 0, 4, bytes, 0, 4)) {
      throw new IOException(
          what
              + " does not begin with PBUF but with <"
              + Bytes.toStringBinary(bytes, 0, Math.min(8, bytes.length))
              + ">");
    }
    return Arrays.copyOfRange(bytes, MAGIC.length, bytes.length);
  }

  /** Returns the content of a file that holds {@code message}: with prefix and checksum. */
  public static byte[] toFile(Message message) {
    return MessageChecksum.append(prefixed(message));
  }

  /**
   * Returns the message's bytes in a file that holds one, of {@link #toFile} or HBase's own, which
   * has no checksum.
   *
   * @throws IOException if there is none, or the checksum does not hold; it names {@code path}
   */
  public static byte[] fromFile(byte[] content, String path) throws IOException {
    try {
      return unprefixed(MessageChecksum.checked(content), path);
    } catch (IllegalArgumentException e) {
      throw new IOException(path + ": " + e.getMessage(), e);
    }
  }

  /**
   * Reads the single message of a file.
   *
   * @throws IOException if the message is missing or damaged; the error names {@code path}
   */
  public static <T> T fromFile(byte[] content, String path, Parser<T> parser) throws IOException {
    byte[] bytes = fromFile(content, path);
    try {
      return parser.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IOException(path + ": its message is cut or damaged", e);
    }
  }

  /** Returns the message of {@code error} without the file's path. */
  public static String withoutPath(Throwable error, String path) {
    String what = String.valueOf(error.getMessage());
    return what.startsWith(path + ": ") ? what.substring(path.length() + 2) : what;
  }

  /** Returns a view of {@code bytes}, which must not change. */
  public static ByteString wrap(byte[] bytes) {
    return UnsafeByteOperations.unsafeWrap(bytes);
  }
}
