package dev.cairn.engine.region;

import dev.cairn.engine.cell.CellBuffer;
import java.io.IOException;

/** What became of one mutation of a batch. */
public sealed interface MutationOutcome {
  /**
   * It is done.
   *
   * @param cells the new cells of an increment or append whose result is wanted, else empty
   */
  record Done(CellBuffer cells) implements MutationOutcome {}

  /**
   * It was refused, and nothing of it is written.
   *
   * @param cause why
   */
  record Refused(IOException cause) implements MutationOutcome {}

  /**
   * It waits for something that may take long, and is done later or never.
   *
   * @param cause tells why, and what becomes of it
   */
  record Undecided(WriteUndecidedException cause) implements MutationOutcome {}
}
