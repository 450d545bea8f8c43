package dev.cairn.engine.region.write;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.write.Mutation.Durability;
import dev.cairn.engine.wal.file.Nonce;
import java.util.List;
import java.util.UUID;

/**
 * A write whose cells are final: one log entry under one number.
 *
 * @param cells the cells for the memstores
 * @param logged the cells for the log
 * @param durability the durability that is required before the acknowledgement
 * @param nonce the nonce, which the log and the store files keep with the write
 * @param result the cells that are wanted back
 * @param millis the clock's time when it was begun
 * @param clusterIds the clusters that it has come through
 */
public record StagedWrite(
    CellBuffer cells,
    CellBuffer logged,
    Durability durability,
    Nonce nonce,
    CellBuffer result,
    long millis,
    List<UUID> clusterIds) {
  /** Returns the same write with another log entry. A recovery restores the logged cells. */
  public StagedWrite logging(CellBuffer other) {
    return new StagedWrite(cells, other, durability, nonce, result, millis, clusterIds);
  }
}
