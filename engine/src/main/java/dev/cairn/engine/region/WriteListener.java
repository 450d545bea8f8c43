package dev.cairn.engine.region;

import dev.cairn.engine.cell.CellBuffer;

/**
 * Is told what became of a write that was begun ({@link Region#tryMutate}): by one of the two
 * methods, once, on any thread, which must not be kept; perhaps before the beginning has returned.
 * Neither throws anything.
 */
public interface WriteListener {
  /**
   * The write is as safe as it was to be, and seen.
   *
   * @param result the new cells of an increment or append whose result is wanted, else empty; not
   *     to be changed
   */
  void done(CellBuffer result);

  /**
   * {@link Region#mutate} would have failed now.
   *
   * @param cause with what; a {@link WriteUndecidedException} leaves open what becomes of the write
   */
  void failed(Throwable cause);
}
