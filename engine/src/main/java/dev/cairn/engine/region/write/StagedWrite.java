package dev.cairn.engine.region.write;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.write.Mutation.Durability;
import dev.cairn.engine.wal.file.Nonce;
import dev.cairn.engine.wal.file.WalAttributes;
import java.util.List;
import java.util.UUID;

/**
 * A write whose cells are final: one log entry with one sequence number.
 *
 * @param cells the cells for the memstores
 * @param logged the cells for the log
 * @param durability the durability that the acknowledgement requires
 * @param nonce the nonce, which the log and the store files keep with the write
 * @param result the cells to return to the caller
 * @param millis the time when it was staged, milliseconds since 1970
 * @param clusterIds the clusters through which the write was replicated
 * @param attributes what the log keeps with the entry for its readers
 */
public record StagedWrite(
    CellBuffer cells,
    CellBuffer logged,
    Durability durability,
    Nonce nonce,
    CellBuffer result,
    long millis,
    List<UUID> clusterIds,
    WalAttributes attributes) {
  /** Creates a write without attributes. */
  public StagedWrite(
      CellBuffer cells,
      CellBuffer logged,
      Durability durability,
      Nonce nonce,
      CellBuffer result,
      long millis,
      List<UUID> clusterIds) {
    this(cells, logged, durability, nonce, result, millis, clusterIds, WalAttributes.NONE);
  }

  /** Returns the same write with another log entry. A recovery restores the logged cells. */
  public StagedWrite logging(CellBuffer other) {
    return new StagedWrite(cells, other, durability, nonce, result, millis, clusterIds, attributes);
  }

  /** Returns the same write at another time. */
  public StagedWrite at(long time) {
    return new StagedWrite(cells, logged, durability, nonce, result, time, clusterIds, attributes);
  }

  /** Returns the same write with attributes for readers of the log. */
  public StagedWrite described(WalAttributes others) {
    return new StagedWrite(cells, logged, durability, nonce, result, millis, clusterIds, others);
  }
}
