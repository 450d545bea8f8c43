package dev.cairn.server.request;

import dev.cairn.engine.region.write.Mutation.Durability;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * The actions of one region in a {@code Multi}, each a put with its cells beside the message.
 * Arrays hold them, so no put has an object. {@link PutGroupReader} fills the arrays; nothing
 * changes them afterwards.
 */
public final class PutGroup {
  private final byte[] message;
  private final int offset;
  private final int length;
  private final Durability durability;
  private final int[] indexes;
  private final int[] ends;
  private final int[] rowOffsets;
  private final int[] rowLengths;
  private final long mutationBytes;

  /**
   * Creates a group.
   *
   * @param message the array with the group
   * @param offset the group's offset in {@code message}
   * @param length the group's length in bytes
   * @param indexes the index of each put's result
   * @param ends for each put, the number of cells up to and including its own
   * @param rowOffsets the offset of each put's row in {@code message}
   * @param mutationBytes the length of all mutations without their cells
   */
  PutGroup(
      byte[] message,
      int offset,
      int length,
      Durability durability,
      int[] indexes,
      int[] ends,
      int[] rowOffsets,
      int[] rowLengths,
      long mutationBytes) {
    this.message = message;
    this.offset = offset;
    this.length = length;
    this.durability = durability;
    this.indexes = indexes;
    this.ends = ends;
    this.rowOffsets = rowOffsets;
    this.rowLengths = rowLengths;
    this.mutationBytes = mutationBytes;
  }

  /** Returns the durability that is required before the puts are acknowledged. */
  public Durability durability() {
    return durability;
  }

  /** Returns the number of puts. */
  public int size() {
    return indexes.length;
  }

  /** Returns under which index the result of put {@code i} goes back. */
  public int index(int i) {
    return indexes[i];
  }

  /** Returns the row of put {@code i}. */
  byte[] row(int i) {
    return Arrays.copyOfRange(message, rowOffsets[i], rowOffsets[i] + rowLengths[i]);
  }

  /** Returns how many cells the puts count together. */
  public int cellCount() {
    return ends[ends.length - 1];
  }

  /** Returns of each put the number of cells that it and those before it count; not to change. */
  public int[] ends() {
    return ends;
  }

  /** Returns how long all mutations are together, without their cells, bytes. */
  public long mutationBytes() {
    return mutationBytes;
  }

  /** Tells whether the row of put {@code i} equals the one in {@code bytes}. */
  public boolean isRow(int i, byte[] bytes, int rowOffset, int rowLength) {
    int own = rowOffsets[i];
    return rowLengths[i] == rowLength
        && Arrays.equals(message, own, own + rowLength, bytes, rowOffset, rowOffset + rowLength);
  }

  /** Returns the puts as objects. */
  List<RegionActions.Action> actions() {
    try {
      return new RegionActionsReader(message, offset, length).message().listed();
    } catch (IOException e) {
      throw new AssertionError("The group was read before", e);
    }
  }
}
