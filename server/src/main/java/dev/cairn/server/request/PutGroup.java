package dev.cairn.server.request;

import dev.cairn.engine.region.Mutation.Durability;
import java.util.Arrays;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * The actions of one region in a {@code Multi}, of which each is a put whose cells came beside the
 * message: what a protobuf message and two builders hold for each of them lies here in arrays.
 * Filled by {@link PutGroupReader}, then not changed any more.
 */
public final class PutGroup {
  private final byte[] message;
  private final int from;
  private final int to;
  private final RegionSpecifier region;
  private final Durability durability;
  private final int[] indexes;
  private final int[] ends;
  private final int[] rowOffsets;
  private final int[] rowLengths;
  private final long mutationBytes;

  /**
   * Creates a group.
   *
   * @param message where the group lies, as protobuf
   * @param from where it begins there
   * @param to where it ends there
   * @param indexes of each put, under which its result goes back
   * @param ends of each put, how many cells it and those before it count together
   * @param rowOffsets of each put, where its row lies in the message
   * @param mutationBytes how long all mutations are together, without their cells
   */
  PutGroup(
      byte[] message,
      int from,
      int to,
      RegionSpecifier region,
      Durability durability,
      int[] indexes,
      int[] ends,
      int[] rowOffsets,
      int[] rowLengths,
      long mutationBytes) {
    this.message = message;
    this.from = from;
    this.to = to;
    this.region = region;
    this.durability = durability;
    this.indexes = indexes;
    this.ends = ends;
    this.rowOffsets = rowOffsets;
    this.rowLengths = rowLengths;
    this.mutationBytes = mutationBytes;
  }

  /** Returns which region it is for. */
  public RegionSpecifier region() {
    return region;
  }

  /** Returns how safe its puts must be before they are acknowledged. */
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

  /** Tells whether the row of put {@code i} is the one that lies in {@code bytes}. */
  public boolean isRow(int i, byte[] bytes, int offset, int length) {
    int own = rowOffsets[i];
    return rowLengths[i] == length
        && Arrays.equals(message, own, own + length, bytes, offset, offset + length);
  }

  /** Returns the group as protobuf has it. */
  public RegionAction inMessage() throws InvalidProtocolBufferException {
    return RegionAction.parseFrom(UnsafeByteOperations.unsafeWrap(message, from, to - from));
  }
}
