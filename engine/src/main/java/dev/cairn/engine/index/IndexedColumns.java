package dev.cairn.engine.index;

import dev.cairn.engine.cell.Cell;
import java.util.Arrays;
import java.util.Collection;
import java.util.TreeSet;

/** The indexed columns of a family. Immutable. */
public final class IndexedColumns {
  /** No column. */
  public static final IndexedColumns NONE = new IndexedColumns(new byte[0][]);

  private final byte[][] qualifiers;

  private IndexedColumns(byte[][] qualifiers) {
    this.qualifiers = qualifiers;
  }

  /** Returns columns by their qualifiers. */
  public static IndexedColumns of(Collection<byte[]> qualifiers) {
    TreeSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
    sorted.addAll(qualifiers);
    return sorted.isEmpty() ? NONE : new IndexedColumns(sorted.toArray(byte[][]::new));
  }

  /** Returns the number of columns. */
  public int count() {
    return qualifiers.length;
  }

  /** Returns the qualifier of a column, counted from 0 in the order of their bytes. */
  public byte[] qualifier(int i) {
    return qualifiers[i];
  }

  /** Returns the number of a column; -1 if it is not indexed. */
  public int find(byte[] qualifier) {
    return find(qualifier, 0, qualifier.length);
  }

  /** Returns the number of a cell's column; -1 if it is not indexed. Allocates nothing. */
  public int find(Cell cell) {
    return qualifiers.length == 0
        ? -1
        : find(cell.bytes(), cell.qualifierOffset(), cell.qualifierLength());
  }

  private int find(byte[] bytes, int offset, int length) {
    for (int i = 0; i < qualifiers.length; i++) {
      if (Arrays.equals(qualifiers[i], 0, qualifiers[i].length, bytes, offset, offset + length)) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IndexedColumns that && Arrays.deepEquals(qualifiers, that.qualifiers);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(qualifiers);
  }
}
