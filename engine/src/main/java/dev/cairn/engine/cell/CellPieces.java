package dev.cairn.engine.cell;

import java.util.Arrays;

/**
 * The pieces of a {@link CellBuffer} before its last one. Each has at least one cell. Threads may
 * read it at the same time while none changes it.
 */
final class CellPieces {
  private byte[][] arrays = new byte[4][];

  /** Of each piece: the index of the first cell behind it. */
  private int[] endCells = new int[4];

  /** Of each piece: how many bytes it and those before it have together. */
  private int[] endBytes = new int[4];

  private int count;
  private long capacity;

  /** The piece of the last cell that was asked for. Any value is right, a wrong one is slower. */
  private int recent;

  /** Returns the number of pieces. */
  int count() {
    return count;
  }

  /** Returns the sum of the arrays' lengths. */
  long capacity() {
    return capacity;
  }

  /** Appends a piece. */
  void add(byte[] array, int endCell, int endByte) {
    if (count == arrays.length) {
      arrays = Arrays.copyOf(arrays, count * 2);
      endCells = Arrays.copyOf(endCells, count * 2);
      endBytes = Arrays.copyOf(endBytes, count * 2);
    }
    arrays[count] = array;
    endCells[count] = endCell;
    endBytes[count] = endByte;
    count++;
    capacity += array.length;
  }

  /** Removes the last piece and returns its array. */
  byte[] removeLast() {
    count--;
    byte[] last = arrays[count];
    arrays[count] = null;
    capacity -= last.length;
    return last;
  }

  /** Returns the array of a piece. */
  byte[] array(int piece) {
    return arrays[piece];
  }

  /** Returns the index of the first cell of a piece, or of the one behind all. */
  int firstCell(int piece) {
    return piece == 0 ? 0 : endCells[piece - 1];
  }

  /** Returns how many bytes the pieces before this one have, or all of them. */
  int begin(int piece) {
    return piece == 0 ? 0 : endBytes[piece - 1];
  }

  /** Returns the piece of a cell, which is in one of them. */
  int pieceOf(int cell) {
    int piece = recent;
    if (piece < count && cell < endCells[piece] && cell >= firstCell(piece)) {
      return piece;
    }
    int found = Arrays.binarySearch(endCells, 0, count, cell);
    piece = found < 0 ? -found - 1 : found + 1;
    recent = piece;
    return piece;
  }

  /**
   * Returns the last index up to {@code to} whose position, {@code perCell} more for each cell, is
   * at most {@code limit}; {@code from} if none behind it is.
   */
  static int fitting(int[] positions, int perCell, int from, int to, long limit) {
    int low = from;
    int high = to;
    int index = to; // all of them, most often
    while (low < high) {
      if (positions[index] + (long) perCell * index <= limit) {
        low = index;
      } else {
        high = index - 1;
      }
      index = (low + high + 1) >>> 1;
    }
    return low;
  }
}
