package dev.cairn.engine.region.write;

import dev.cairn.engine.cell.CellBuffer;
import java.io.IOException;

/** Tells the outcome of a mutation, or of several mutations with a single outcome. */
public sealed interface MutationOutcome {
  /**
   * Returns the new cells of increments and appends whose result is wanted; none if a condition was
   * not met. Callers must not change them.
   *
   * @throws IOException if the mutation was not done; tells why
   */
  CellBuffer cells() throws IOException;

  /**
   * It is done.
   *
   * @param cells the new cells of increments and appends whose result is wanted
   */
  record Done(CellBuffer cells) implements MutationOutcome {}

  /** A condition was not met, and nothing is written. */
  record NotMet() implements MutationOutcome {
    @Override
    public CellBuffer cells() {
      return new CellBuffer(0, 0);
    }
  }

  /**
   * It was refused, and nothing of it is written.
   *
   * @param cause why
   */
  record Refused(IOException cause) implements MutationOutcome {
    @Override
    public CellBuffer cells() throws IOException {
      throw cause;
    }
  }

  /**
   * It waits for something that may take long, and is done later or never.
   *
   * @param cause the reason, and the state of the mutation
   */
  record Undecided(WriteUndecidedException cause) implements MutationOutcome {
    @Override
    public CellBuffer cells() throws IOException {
      throw cause;
    }
  }
}
