package dev.cairn.engine.hfile.format;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import java.util.Arrays;

/** Sums up the cells of a file for its file info. One thread at a time. */
public final class CellTracker {
  private static final int KEY_VALUE_VERSION_WITH_SEQUENCE = 1;

  private long count;
  private long keyBytes;
  private long valueBytes;
  private long minTimestamp = Long.MAX_VALUE;
  private long maxTimestamp = -1;
  private long earliestPut = Long.MAX_VALUE;
  private long maxSequence;
  private long deleteFamilyCount;
  private int maxTagsLength;
  private int biggestCell;
  private final ByteSink biggestKey = new ByteSink(64);

  /** Adds the next cell. */
  public void include(Cell cell) {
    count++;
    keyBytes += cell.keyLength();
    valueBytes += cell.valueLength();
    maxSequence = Math.max(maxSequence, cell.sequence());
    maxTagsLength = Math.max(maxTagsLength, cell.tagsLength());
    int type = cell.typeCode();
    long timestamp = cell.timestamp();
    maxTimestamp = Math.max(maxTimestamp, timestamp);
    if (CellType.hidesOlder(type)) {
      // Such a marker affects all times before its own.
      minTimestamp = Math.min(minTimestamp, 0);
    }
    minTimestamp = Math.min(minTimestamp, timestamp);
    if (type == CellType.PUT.code()) {
      earliestPut = Math.min(earliestPut, timestamp);
    }
    if (isDeleteFamily(type)) {
      deleteFamilyCount++;
    }
    int length = cell.serializedLength(true);
    if (length > biggestCell) {
      biggestCell = length;
      biggestKey.setSize(0);
      biggestKey.put(cell.bytes(), cell.keyOffset(), cell.keyLength());
    }
  }

  /** Tells whether the type is that of a marker for the whole family. */
  public static boolean isDeleteFamily(int type) {
    return type == CellType.DELETE_FAMILY.code() || type == CellType.DELETE_FAMILY_VERSION.code();
  }

  /** Returns the number of cells. */
  public long count() {
    return count;
  }

  /**
   * Puts the sums into file info.
   *
   * @param tags whether cells may have tags
   */
  public void putInto(FileInfo info, boolean tags) {
    info.put(FileInfo.AVERAGE_KEY_LENGTH, Bytes.ofInt(average(keyBytes)));
    info.put(FileInfo.AVERAGE_VALUE_LENGTH, Bytes.ofInt(average(valueBytes)));
    info.put(FileInfo.MAX_CELL_SEQUENCE, Bytes.ofLong(maxSequence));
    info.put(FileInfo.KEY_VALUE_VERSION, Bytes.ofInt(KEY_VALUE_VERSION_WITH_SEQUENCE));
    info.put(FileInfo.DELETE_FAMILY_COUNT, Bytes.ofLong(deleteFamilyCount));
    info.put(FileInfo.EARLIEST_PUT, Bytes.ofLong(earliestPut));
    info.put(
        FileInfo.TIME_RANGE, Bytes.concat(Bytes.ofLong(minTimestamp), Bytes.ofLong(maxTimestamp)));
    if (count > 0) {
      info.put(FileInfo.BIGGEST_CELL_KEY, Arrays.copyOf(biggestKey.bytes(), biggestKey.size()));
      // HBase counts the length that precedes a cell on the wire.
      info.put(FileInfo.BIGGEST_CELL_LENGTH, Bytes.ofLong(biggestCell + 4L));
    }
    if (tags) {
      info.put(FileInfo.MAX_TAGS_LENGTH, Bytes.ofInt(maxTagsLength));
      info.put(FileInfo.TAGS_COMPRESSED, new byte[] {0});
    }
  }

  private int average(long sum) {
    return count == 0 ? 0 : (int) (sum / count);
  }
}
