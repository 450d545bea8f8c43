package dev.cairn.engine.mob;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellTags;
import dev.cairn.engine.schema.TableName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * The contents of a cell whose value lies in a MOB file. Such a cell has the key of the original
 * cell and, as in HBase:
 *
 * <pre>
 *   value: int length of the value it stands for | name of the MOB file
 *   tags:  type 5, empty | type 6, the name of the table whose MOB directory has the file | its own
 * </pre>
 *
 * @param table the table that the tag names; empty in cells that HBase before 2.0 wrote
 * @param file the MOB file's name
 */
public record MobReference(Optional<TableName> table, String file) {
  private static final int LENGTH_SIZE = Integer.BYTES;
  private static final int MAX_TAGS_LENGTH = 0xFFFF;
  private static final int SHOWN_MAX = 200;

  /** Tells whether a cell's value is in a MOB file. */
  public static boolean is(Cell cell) {
    return cell.tagsLength() > 0 && CellTags.has(cell, CellTags.MOB_REFERENCE);
  }

  /**
   * Reads a cell for which {@link #is} holds.
   *
   * @throws MissingValueException if it names no file
   */
  public static MobReference of(Cell cell) throws MissingValueException {
    int from = cell.valueOffset() + LENGTH_SIZE;
    int to = cell.valueOffset() + cell.valueLength();
    if (cell.valueLength() <= LENGTH_SIZE || !MobFileName.isPossible(cell.bytes(), from, to)) {
      throw new MissingValueException(
          "Cell "
              + cell
              + " is marked as the reference to a MOB file, but names none: <"
              + Bytes.toStringBinary(
                  cell.bytes(), cell.valueOffset(), Math.min(cell.valueLength(), SHOWN_MAX))
              + ">");
    }
    String file = new String(cell.bytes(), from, to - from, StandardCharsets.US_ASCII);
    Optional<byte[]> table = CellTags.value(cell, CellTags.MOB_TABLE_NAME);
    try {
      return new MobReference(table.map(name -> TableName.parse(Bytes.utf8(name))), file);
    } catch (IllegalArgumentException e) {
      throw new MissingValueException(
          "Cell "
              + cell
              + " refers to the MOB file "
              + file
              + " of a table that cannot be: "
              + e.getMessage());
    }
  }

  /**
   * Tells whether the tags that a reference has besides those of its own kind are {@code cell}'s.
   */
  static boolean hasTagsOf(Cell reference, Cell cell) {
    byte[] bytes = reference.bytes();
    int end = reference.tagsOffset() + reference.tagsLength();
    int from = behind(bytes, reference.tagsOffset(), end, CellTags.MOB_REFERENCE);
    from = behind(bytes, from, end, CellTags.MOB_TABLE_NAME);
    int own = cell.tagsLength() == 0 ? 0 : cell.tagsOffset();
    return Arrays.equals(bytes, from, end, cell.bytes(), own, own + cell.tagsLength());
  }

  /** Returns where the tag at {@code at} ends, if it is of this type; else {@code at}. */
  private static int behind(byte[] bytes, int at, int end, int type) {
    if (end - at <= 2 || bytes[at + 2] != type) {
      return at;
    }
    return Math.min(end, at + 2 + Bytes.getUnsignedShort(bytes, at));
  }

  /** Makes references to one file, all in the same bytes. One thread. */
  static final class Maker {
    private final byte[] name;
    private final byte[] tags;
    private final Cell made = new Cell();
    private byte[] bytes = new byte[512];

    Maker(TableName table, String file) {
      this.name = Bytes.utf8(file);
      this.tags =
          Bytes.concat(
              CellTags.tag(CellTags.MOB_REFERENCE, Bytes.EMPTY),
              CellTags.tag(CellTags.MOB_TABLE_NAME, Bytes.utf8(table.toString())));
    }

    /** Tells whether the tags of a reference to {@code cell} are not too long. */
    boolean fits(Cell cell) {
      return tags.length + cell.tagsLength() <= MAX_TAGS_LENGTH;
    }

    /** Returns the reference to {@code cell}; valid until the next call. */
    Cell make(Cell cell) {
      int valueLength = LENGTH_SIZE + name.length;
      int tagsLength = tags.length + cell.tagsLength();
      int length = Cell.LENGTHS_SIZE + cell.keyLength() + valueLength + 2 + tagsLength;
      if (bytes.length < length) {
        bytes = new byte[length * 2];
      }
      Bytes.putInt(bytes, 0, cell.keyLength());
      Bytes.putInt(bytes, 4, valueLength);
      int at = Cell.LENGTHS_SIZE;
      System.arraycopy(cell.bytes(), cell.keyOffset(), bytes, at, cell.keyLength());
      at += cell.keyLength();
      Bytes.putInt(bytes, at, cell.valueLength());
      System.arraycopy(name, 0, bytes, at + LENGTH_SIZE, name.length);
      at += valueLength;
      Bytes.putShort(bytes, at, tagsLength);
      System.arraycopy(tags, 0, bytes, at + 2, tags.length);
      if (cell.tagsLength() > 0) {
        System.arraycopy(
            cell.bytes(), cell.tagsOffset(), bytes, at + 2 + tags.length, cell.tagsLength());
      }
      made.set(bytes, 0, length, cell.sequence());
      return made;
    }
  }
}
