package dev.cairn.engine.region.write;

import dev.cairn.engine.cell.Cell;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Observes how mutations are resolved to cells, and may replace results. Called by the thread that
 * resolves them. The cells are valid only during the call.
 */
public interface ResolutionListener {
  /** Changes nothing. */
  ResolutionListener NONE = new ResolutionListener() {};

  /**
   * Called for each cell that an increment or append computes.
   *
   * @param old the cell whose value was read; empty if there is none
   * @param computed the new cell
   * @return the cell to write, in the same row and family; {@code computed} to keep it
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
