package dev.cairn.engine.region.write;

import dev.cairn.engine.cell.Cell;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Sees how mutations become cells, and may decide instead. Called by the thread that resolves them.
 * The cells are valid during the call.
 */
public interface ResolutionListener {
  /** Decides nothing. */
  ResolutionListener NONE = new ResolutionListener() {};

  /**
   * Called for each cell that an increment or append computes.
   *
   * @param old the cell that counts as present; empty if there is none
   * @param computed the new cell
   * @return the cell to write, of the same row and family; {@code computed} to leave it
   * @throws IOException refuses the mutation
   */
  default Cell computed(Mutation mutation, Optional<Cell> old, Cell computed) throws IOException {
    return computed;
  }

  /**
   * Called for each marker that deletes the newest version, before that version is looked up.
   *
   * @return the timestamp of the version to delete; empty to look it up
   * @throws IOException refuses the mutation
   */
  default OptionalLong newestVersion(Mutation delete, Cell marker) throws IOException {
    return OptionalLong.empty();
  }
}
