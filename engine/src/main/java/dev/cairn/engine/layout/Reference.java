package dev.cairn.engine.layout;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.schema.MessageChecksum;
import dev.cairn.engine.storage.DamagedFileException;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FSProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * The content of a reference file: which part of another store file belongs to this store. The
 * other file's name is in the reference's own ({@link StoreFileName.Half}).
 *
 * <p>On disk: the magic {@code PBUF} and HBase's message {@code Reference}. The split key in it is
 * a cell's key, the one before all cells of the split row. Files that HBase wrote before 0.96 (a
 * boolean, true for the top, a length and a key) are read, too.
 *
 * @param splitKey the border; for seeking only
 * @param top true for the part at and after the border; false for the part before it
 */
public record Reference(Cell splitKey, boolean top) {
  private static final byte[] MAGIC = Bytes.utf8("PBUF");

  /** Returns the reference to all cells at and after {@code row}. */
  public static Reference top(byte[] row) {
    return new Reference(Cell.firstOnRow(row), true);
  }

  /** Returns the reference to all cells before {@code row}. */
  public static Reference bottom(byte[] row) {
    return new Reference(Cell.firstOnRow(row), false);
  }

  /** Returns the content of the file. */
  public byte[] toFile() {
    return MessageChecksum.append(Bytes.concat(MAGIC, message().toByteArray()));
  }

  /** Returns the reference as HBase's message. */
  public FSProtos.Reference message() {
    return FSProtos.Reference.newBuilder()
        .setSplitkey(UnsafeByteOperations.unsafeWrap(key()))
        .setRange(top ? FSProtos.Reference.Range.TOP : FSProtos.Reference.Range.BOTTOM)
        .build();
  }

  /**
   * Reads HBase's message.
   *
   * @param path the file that contains the message, for errors
   * @throws IOException naming the file, if it is no reference
   */
  public static Reference of(String path, FSProtos.Reference message) throws IOException {
    return new Reference(
        key(path, message.getSplitkey().toByteArray()),
        message.getRange() == FSProtos.Reference.Range.TOP);
  }

  /**
   * Reads a file's content.
   *
   * @param path the file, for errors
   * @throws IOException naming the file, if it is no reference
   */
  public static Reference fromFile(String path, byte[] content) throws IOException {
    if (content.length < MAGIC.length
        || !Arrays.equals(content, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      return fromOldFile(path, content);
    }
    try {
      FSProtos.Reference message =
          FSProtos.Reference.parseFrom(
              UnsafeByteOperations.unsafeWrap(
                  content, MAGIC.length, content.length - MAGIC.length));
      if (!MessageChecksum.holds(message.getUnknownFields(), content)) {
        throw damaged(path, "its checksum does not hold");
      }
      return of(path, message);
    } catch (InvalidProtocolBufferException e) {
      throw damaged(path, e.getMessage());
    }
  }

  /** A boolean, the key's length as a number of variable length, the key. */
  private static Reference fromOldFile(String path, byte[] content) throws IOException {
    if (content.length < 2 || content[0] < 0 || content[0] > 1) {
      throw damaged(path, "it does not begin with PBUF");
    }
    int first = content[1];
    // Hadoop's variable-length numbers: one byte up to 127, or one byte -112 - n and n bytes.
    int more = first >= -112 ? 0 : -112 - first;
    if (more > 3 || content.length < 2 + more) {
      throw damaged(path, "a key of an impossible length");
    }
    int length = more == 0 ? first : 0;
    for (int i = 0; i < more; i++) {
      length = length << 8 | content[2 + i] & 0xFF;
    }
    if (length != content.length - 2 - more) {
      throw damaged(path, "a key of " + length + " bytes in a file of " + content.length);
    }
    return new Reference(
        key(path, Arrays.copyOfRange(content, 2 + more, content.length)), content[0] == 1);
  }

  private static Cell key(String path, byte[] key) throws IOException {
    if (key.length < Cell.KEY_OVERHEAD) {
      throw damaged(path, "a split key of " + key.length + " bytes");
    }
    int rowLength = Bytes.getUnsignedShort(key, 0);
    int familyLength = rowLength > key.length - Cell.KEY_OVERHEAD ? 0 : key[2 + rowLength] & 0xFF;
    if (rowLength + familyLength > key.length - Cell.KEY_OVERHEAD
        || rowLength > Cell.MAX_ROW_LENGTH) {
      throw damaged(path, "a split key whose parts are longer than it");
    }
    Reference read =
        new Reference(Cell.firstOnRow(Arrays.copyOfRange(key, 2, 2 + rowLength)), true);
    if (!Arrays.equals(key, read.key())) {
      throw damaged(path, "its split key is not the first of a row");
    }
    return read.splitKey();
  }

  private byte[] key() {
    return Arrays.copyOfRange(
        splitKey.bytes(), splitKey.keyOffset(), splitKey.keyOffset() + splitKey.keyLength());
  }

  private static DamagedFileException damaged(String path, String what) {
    return new DamagedFileException(
        path, 0, "expected a reference to a part of another store file; " + what);
  }
}
