package dev.cairn.engine.region.write;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.region.state.RegionSettings;
import java.io.IOException;

/** Reports a put whose timestamp is further ahead of the server's clock than the settings allow. */
public final class FutureTimestampException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param aheadMillisMax how far ahead of the clock a timestamp may be
   */
  FutureTimestampException(Cell cell, long aheadMillisMax) {
    super(
        "The timestamp "
            + cell.timestamp()
            + " of a put of row "
            + Bytes.toStringBinary(cell.row())
            + " is more than "
            + aheadMillisMax
            + " ms ahead of the server's clock ("
            + RegionSettings.AHEAD_KEY
            + "). Use milliseconds since 1970, and check the clocks");
  }
}
