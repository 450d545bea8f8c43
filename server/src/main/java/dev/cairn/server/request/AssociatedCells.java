package dev.cairn.server.request;

import dev.cairn.engine.cell.CellBuffer;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * The cells that came with a request, assigned in order to the mutations that claim them. After a
 * mutation that claims more than are left, the rest cannot be assigned, so no other mutation gets
 * any. One thread at a time.
 */
public final class AssociatedCells {
  /** No cells; any number of threads. */
  public static final AssociatedCells NONE = new AssociatedCells(new CellBuffer(0, 0));

  private final CellBuffer cells;
  private int next;

  public AssociatedCells(CellBuffer cells) {
    this.cells = cells;
  }

  /**
   * Returns the next {@code count} cells.
   *
   * @throws DoNotRetryIOException if fewer are left
   */
  CellBuffer take(int count) throws DoNotRetryIOException {
    int first = next;
    skip(count);
    return CellBuffer.copyOf(cells, first, next);
  }

  /** Returns the next {@code count} cells without passing over them; empty if fewer are left. */
  public Optional<CellBuffer> next(int count) {
    if (count > cells.size() - next) {
      return Optional.empty();
    }
    return Optional.of(
        count == cells.size() ? cells : CellBuffer.copyOf(cells, next, next + count));
  }

  /**
   * Passes over {@code count} cells.
   *
   * @throws DoNotRetryIOException if fewer are left
   */
  public void skip(int count) throws DoNotRetryIOException {
    int left = cells.size() - next;
    if (count < 0 || count > left) {
      next = cells.size();
      throw new DoNotRetryIOException(
          "A mutation counts "
              + count
              + " associated cells, but "
              + left
              + " are left of the "
              + cells.size()
              + " in the request's cell block");
    }
    next += count;
  }
}
