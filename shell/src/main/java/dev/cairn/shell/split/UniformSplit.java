package dev.cairn.shell.split;

import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Divides rows of arbitrary bytes, as numbers of base 256.
 *
 * @param first the first row; must not be changed
 * @param last the last row; must not be changed
 */
record UniformSplit(byte[] first, byte[] last) implements SplitAlgorithm {
  private static final int LAST_LENGTH = 8;

  static UniformSplit of(String firstRow, String lastRow) {
    byte[] last = new byte[LAST_LENGTH];
    Arrays.fill(last, (byte) 0xFF);
    UniformSplit split =
        new UniformSplit(
            Bytes.toBytesBinary(firstRow), lastRow.isEmpty() ? last : Bytes.toBytesBinary(lastRow));
    if (Arrays.compareUnsigned(split.last, split.first) <= 0) {
      throw new IllegalArgumentException(
          "The last row " + lastRow + " is not after the first " + firstRow);
    }
    return split;
  }

  @Override
  public List<byte[]> split(int regions) {
    byte[][] rows = Bytes.split(first, last, true, regions - 1);
    if (rows == null) {
      throw new IllegalArgumentException(
          "There are not enough rows of this length for " + regions + " regions");
    }
    return List.of(rows).subList(1, regions);
  }

  @Override
  public byte[] middle(byte[] start, byte[] end) {
    byte[][] rows = Bytes.split(start, end.length == 0 ? last : end, 1);
    if (rows == null || Arrays.equals(rows[1], start)) {
      throw new IllegalArgumentException(
          "There is no row in the middle of <"
              + Bytes.toStringBinary(start)
              + "> and <"
              + Bytes.toStringBinary(end)
              + ">");
    }
    return rows[1];
  }
}
