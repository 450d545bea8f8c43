package dev.cairn.engine.hfile;

import dev.cairn.engine.cell.Bytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HFileProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Names and values that describe a file, ordered by name. The names are HBase's.
 *
 * <pre>
 *   today:        "PBUF" | varint length, FileInfoProto
 *   before 0.96:  int count | count times: {@link VarLong} length, name | byte | VarLong length, value
 * </pre>
 */
final class FileInfo {
  static final String LAST_KEY = "hfile.LASTKEY";
  static final String AVERAGE_KEY_LENGTH = "hfile.AVG_KEY_LEN";
  static final String AVERAGE_VALUE_LENGTH = "hfile.AVG_VALUE_LEN";
  static final String CREATION_TIME = "hfile.CREATE_TIME_TS";
  static final String BIGGEST_CELL_KEY = "hfile.KEY_OF_BIGGEST_CELL";
  static final String BIGGEST_CELL_LENGTH = "hfile.LEN_OF_BIGGEST_CELL";
  static final String MAX_TAGS_LENGTH = "hfile.MAX_TAGS_LEN";
  static final String TAGS_COMPRESSED = "hfile.TAGS_COMPRESSED";
  static final String MAX_CELL_SEQUENCE = "MAX_MEMSTORE_TS_KEY";
  static final String KEY_VALUE_VERSION = "KEY_VALUE_VERSION";
  static final String MAX_SEQUENCE = "MAX_SEQ_ID_KEY";
  static final String TIME_RANGE = "TIMERANGE";
  static final String EARLIEST_PUT = "EARLIEST_PUT_TS";
  static final String MAJOR_COMPACTION = "MAJOR_COMPACTION_KEY";
  static final String BLOOM_TYPE = "BLOOM_FILTER_TYPE";
  static final String BLOOM_PARAMETER = "BLOOM_FILTER_PARAM";
  static final String LAST_BLOOM_KEY = "LAST_BLOOM_KEY";
  static final String DELETE_FAMILY_COUNT = "DELETE_FAMILY_COUNT";
  static final String DATA_BLOCK_ENCODING = "DATA_BLOCK_ENCODING";
  static final String INDEX_BLOCK_ENCODING = "INDEX_BLOCK_ENCODING";

  /** Names that begin so belong to the format. */
  static final String RESERVED_PREFIX = "hfile.";

  private static final byte[] MAGIC = Bytes.utf8("PBUF");

  private final SortedMap<byte[], byte[]> values = new TreeMap<>(Arrays::compareUnsigned);

  void put(String name, byte[] value) {
    put(Bytes.utf8(name), value);
  }

  void put(byte[] name, byte[] value) {
    values.put(name, value);
  }

  SortedMap<byte[], byte[]> values() {
    return Collections.unmodifiableSortedMap(values);
  }

  Optional<byte[]> get(String name) {
    return Optional.ofNullable(values.get(Bytes.utf8(name)));
  }

  String getText(String name, String otherwise) {
    return get(name).map(Bytes::utf8).orElse(otherwise);
  }

  /** Returns a value of eight bytes, or {@code otherwise} if it is absent or has another length. */
  long getLong(String name, long otherwise) {
    byte[] value = get(name).orElse(Bytes.EMPTY);
    return value.length == Long.BYTES ? Bytes.getLong(value, 0) : otherwise;
  }

  /** Returns a value of four bytes, or {@code otherwise} if it is absent or has another length. */
  int getInt(String name, int otherwise) {
    byte[] value = get(name).orElse(Bytes.EMPTY);
    return value.length == Integer.BYTES ? Bytes.getInt(value, 0) : otherwise;
  }

  boolean getFlag(String name) {
    byte[] value = get(name).orElse(Bytes.EMPTY);
    return value.length == 1 && value[0] != 0;
  }

  byte[] toBytes() throws IOException {
    HFileProtos.FileInfoProto.Builder message = HFileProtos.FileInfoProto.newBuilder();
    values.forEach(
        (name, value) ->
            message.addMapEntry(
                HBaseProtos.BytesBytesPair.newBuilder()
                    .setFirst(UnsafeByteOperations.unsafeWrap(name))
                    .setSecond(UnsafeByteOperations.unsafeWrap(value))));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(MAGIC);
    message.build().writeDelimitedTo(bytes);
    return bytes.toByteArray();
  }

  /**
   * Reads either form.
   *
   * @throws IOException if the bytes are something else
   */
  static FileInfo parse(byte[] bytes, int from, int to) throws IOException {
    if (to - from < MAGIC.length
        || !Arrays.equals(bytes, from, from + MAGIC.length, MAGIC, 0, MAGIC.length)) {
      return parseOld(bytes, from, to);
    }
    int start = from + MAGIC.length;
    HFileProtos.FileInfoProto message =
        HFileProtos.FileInfoProto.parseDelimitedFrom(
            new ByteArrayInputStream(bytes, start, to - start));
    if (message == null) {
      throw new IOException("file info without entries");
    }
    FileInfo info = new FileInfo();
    for (HBaseProtos.BytesBytesPair entry : message.getMapEntryList()) {
      info.put(entry.getFirst().toByteArray(), entry.getSecond().toByteArray());
    }
    return info;
  }

  private static FileInfo parseOld(byte[] bytes, int from, int to) throws IOException {
    int count = to - from < Integer.BYTES ? -1 : Bytes.getInt(bytes, from);
    if (count < 0) {
      throw new IOException("file info of " + count + " entries");
    }
    FileInfo info = new FileInfo();
    int at = from + Integer.BYTES;
    for (int i = 0; i < count; i++) {
      int nameAt = arrayStart(bytes, at, to);
      byte[] name = Arrays.copyOfRange(bytes, nameAt, arrayEnd(bytes, at, to));
      // The byte between tells the value's class, which is always the same.
      at = arrayEnd(bytes, at, to) + 1;
      int valueAt = arrayStart(bytes, at, to);
      at = arrayEnd(bytes, at, to);
      info.put(name, Arrays.copyOfRange(bytes, valueAt, at));
    }
    if (at != to) {
      throw new IOException(count + " entries and " + (to - at) + " bytes more");
    }
    return info;
  }

  /** Returns where the array begins whose length is at {@code at}. */
  private static int arrayStart(byte[] bytes, int at, int to) throws IOException {
    if (at >= to || to - at < VarLong.lengthOf(bytes[at])) {
      throw new IOException("file info that ends within an entry");
    }
    return at + VarLong.lengthOf(bytes[at]);
  }

  private static int arrayEnd(byte[] bytes, int at, int to) throws IOException {
    int start = arrayStart(bytes, at, to);
    long length = VarLong.read(bytes, at);
    if (length < 0 || length > to - start) {
      throw new IOException("a file info entry of " + length + " bytes");
    }
    return start + (int) length;
  }
}
