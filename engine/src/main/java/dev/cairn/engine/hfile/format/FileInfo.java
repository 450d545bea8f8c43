package dev.cairn.engine.hfile.format;

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
public final class FileInfo {
  /** The key of the last cell. */
  public static final String LAST_KEY = "hfile.LASTKEY";

  /** The average length of a key: an int, bytes. */
  public static final String AVERAGE_KEY_LENGTH = "hfile.AVG_KEY_LEN";

  /** The average length of a value: an int, bytes. */
  public static final String AVERAGE_VALUE_LENGTH = "hfile.AVG_VALUE_LEN";

  /** The time of the file's creation: a long, milliseconds since 1970. */
  public static final String CREATION_TIME = "hfile.CREATE_TIME_TS";

  static final String BIGGEST_CELL_KEY = "hfile.KEY_OF_BIGGEST_CELL";

  /** The length of the largest cell: a long, bytes. */
  public static final String BIGGEST_CELL_LENGTH = "hfile.LEN_OF_BIGGEST_CELL";

  /** The length of the longest tags of a cell: an int, bytes; absent if no cell may have tags. */
  public static final String MAX_TAGS_LENGTH = "hfile.MAX_TAGS_LEN";

  /** The key of the flag for compressed tags in encoded blocks: a byte. */
  public static final String TAGS_COMPRESSED = "hfile.TAGS_COMPRESSED";

  /** The highest sequence number that is stored with a cell: a long. */
  public static final String MAX_CELL_SEQUENCE = "MAX_MEMSTORE_TS_KEY";

  /** The key of the flag for sequence numbers in cells: an int, 1 if cells have them. */
  public static final String KEY_VALUE_VERSION = "KEY_VALUE_VERSION";

  /** The highest sequence number of the writes that the file holds completely: a long. */
  public static final String MAX_SEQUENCE = "MAX_SEQ_ID_KEY";

  /** The lowest and the highest timestamp: two longs. */
  public static final String TIME_RANGE = "TIMERANGE";

  /** The lowest timestamp of a put: a long. */
  public static final String EARLIEST_PUT = "EARLIEST_PUT_TS";

  /** The key of the flag for a file that was made from all files of its store: a byte. */
  public static final String MAJOR_COMPACTION = "MAJOR_COMPACTION_KEY";

  /** The name of the Bloom filter's type. */
  public static final String BLOOM_TYPE = "BLOOM_FILTER_TYPE";

  /** The length of row prefixes in the Bloom filter: an int, bytes. */
  public static final String BLOOM_PARAMETER = "BLOOM_FILTER_PARAM";

  /** The last key of the Bloom filter. */
  public static final String LAST_BLOOM_KEY = "LAST_BLOOM_KEY";

  /** The number of markers that delete a family or a version of it: a long. */
  public static final String DELETE_FAMILY_COUNT = "DELETE_FAMILY_COUNT";

  /** The encoding of data blocks, by name. */
  public static final String DATA_BLOCK_ENCODING = "DATA_BLOCK_ENCODING";

  /** The encoding of index blocks, by name. */
  public static final String INDEX_BLOCK_ENCODING = "INDEX_BLOCK_ENCODING";

  /** Names that begin so belong to the format. */
  public static final String RESERVED_PREFIX = "hfile.";

  private static final byte[] MAGIC = Bytes.utf8("PBUF");

  private final SortedMap<byte[], byte[]> values = new TreeMap<>(Arrays::compareUnsigned);

  /** Sets a value. */
  public void put(String name, byte[] value) {
    put(Bytes.utf8(name), value);
  }

  /** Sets a value. */
  public void put(byte[] name, byte[] value) {
    values.put(name, value);
  }

  /** Returns all values by name, in the order of the names' bytes. */
  public SortedMap<byte[], byte[]> values() {
    return Collections.unmodifiableSortedMap(values);
  }

  /** Returns a value; empty if it is absent. */
  public Optional<byte[]> get(String name) {
    return Optional.ofNullable(values.get(Bytes.utf8(name)));
  }

  /** Returns a value as text, or {@code otherwise} if it is absent. */
  public String getText(String name, String otherwise) {
    return get(name).map(Bytes::utf8).orElse(otherwise);
  }

  /** Returns a value of eight bytes, or {@code otherwise} if it is absent or has another length. */
  public long getLong(String name, long otherwise) {
    byte[] value = get(name).orElse(Bytes.EMPTY);
    return value.length == Long.BYTES ? Bytes.getLong(value, 0) : otherwise;
  }

  /** Returns a value of four bytes, or {@code otherwise} if it is absent or has another length. */
  public int getInt(String name, int otherwise) {
    byte[] value = get(name).orElse(Bytes.EMPTY);
    return value.length == Integer.BYTES ? Bytes.getInt(value, 0) : otherwise;
  }

  /** Returns whether a value is one byte that is not zero. */
  public boolean getFlag(String name) {
    byte[] value = get(name).orElse(Bytes.EMPTY);
    return value.length == 1 && value[0] != 0;
  }

  /** Returns the bytes in today's format. */
  public byte[] toBytes() throws IOException {
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
  public static FileInfo parse(byte[] bytes, int from, int to) throws IOException {
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
