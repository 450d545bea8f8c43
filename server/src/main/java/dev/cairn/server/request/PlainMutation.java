package dev.cairn.server.request;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.Mutation;
import dev.cairn.engine.region.Mutation.Durability;
import dev.cairn.engine.region.Mutation.Kind;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.wal.Nonce;
import java.util.Arrays;

/**
 * A mutation that lies in a message, found to be a plain one by {@link PlainMutationReader}:
 * nothing of it is copied before {@link #decode}.
 *
 * @param message where it lies, as protobuf
 * @param offset where it begins there
 * @param length how long it is there, bytes
 * @param kind what it does
 * @param rowOffset where its row lies
 * @param rowLength the row's length, bytes
 * @param timestamp the timestamp of cells that have none of their own
 * @param durability what must have happened to the log before it is acknowledged
 * @param times which existing cells count as present, for one that builds on them
 * @param nonce the number that it came with
 * @param cellCount the number of its cells
 * @param cellBytes how long they are together, as cells, bytes
 */
public record PlainMutation(
    byte[] message,
    int offset,
    int length,
    Kind kind,
    int rowOffset,
    int rowLength,
    long timestamp,
    Durability durability,
    TimeRange times,
    Nonce nonce,
    int cellCount,
    int cellBytes) {
  /** Tells whether it builds on what is there. */
  boolean isAtomic() {
    return kind.isComputed();
  }

  /**
   * Makes the engine's mutation of it, one of its own each time; what the engine would refuse, it
   * may hold.
   */
  public Mutation decode() {
    CellBuffer cells = new CellBuffer(cellBytes, cellCount);
    PlainMutationReader.addCells(this, cells);
    return new Mutation(
        kind,
        Arrays.copyOfRange(message, rowOffset, rowOffset + rowLength),
        cells,
        durability,
        times,
        isAtomic(),
        nonce);
  }
}
