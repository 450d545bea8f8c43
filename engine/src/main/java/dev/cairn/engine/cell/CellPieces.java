package dev.cairn.engine.cell;

import java.util.Arrays;

/**
 * Holds the pieces of a {@link CellBuffer} except the last one. Each piece has at least one cell.
 * Several threads may read while none writes.
 */
final class CellPieces {
  private byte[][] arrays = new byte[4][];

  /** For each piece: the index of the first cell after it. */
  private int[] endCells = new int[4];

  /** For each piece: the bytes of it and all pieces before it. */
  private int[] endBytes = new int[4];

  private int count;
  private long capacity;

  /** The piece of the last requested cell: a hint where the next search begins. */
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

  /**
   * Returns the index of the first cell of a piece; for the piece after the last, the number of
   * cells.
   */
  int firstCell(int piece) {
    return piece == 0 ? 0 : endCells[piece - 1];
  }

  /**
   * Returns the bytes of the pieces before a piece; for the piece after the last, the bytes of all.
   */
  int begin(int piece) {
    return piece == 0 ? 0 : endBytes[piece - 1];
  }

  /** Returns the piece of a cell, which must be in one of these pieces. */
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
   * Returns the last index from {@code from} to {@code to} whose position is at most {@code limit};
   * {@code from} if there is none. The position of an index is its entry in {@code positions} plus
   * {@code perCell} times the index.
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
