package dev.cairn.engine.hfile.encoding;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.hfile.block.BlockMemory;
import dev.cairn.engine.hfile.block.DataBlock;
import dev.cairn.engine.hfile.format.ByteSink;
import java.io.IOException;

/**
 * HBase's {@code ROW_INDEX_V1}: plain cells, then the offset of each row, for a binary search over
 * rows. The search here is over cells; the row index is written for other readers.
 *
 * <pre>cells | int rows | rows times: int where it begins | int length of the cells</pre>
 */
final class RowIndexEncoding implements BlockEncoding {
  @Override
  public void encode(
      byte[] plain, int from, int to, boolean tags, boolean sequences, ByteSink target) {
    target.put(plain, from, to - from);
    int countAt = target.reserve(Integer.BYTES);
    Cell cell = new Cell();
    Cell previous = new Cell();
    int rows = 0;
    int end;
    for (int at = from; at < to; at = end) {
      end = DataBlock.read(plain, at, tags, sequences, cell);
      if (rows == 0 || !cell.sameRow(previous)) {
        target.putInt(at - from);
        rows++;
      }
      previous.set(cell);
    }
    Bytes.putInt(target.bytes(), countAt, rows);
    target.putInt(to - from);
  }

  @Override
  public DataBlock decode(
      byte[] encoded, int from, int to, boolean tags, boolean sequences, BlockMemory memory)
      throws IOException {
    int length = to - from < 2 * Integer.BYTES ? -1 : Bytes.getInt(encoded, to - Integer.BYTES);
    if (length < 0 || length > to - from - 2 * Integer.BYTES) {
      throw new IOException("cells of " + length + " bytes in a block of " + (to - from));
    }
    return DataBlock.index(encoded, from, from + length, tags, sequences, memory);
  }
}
