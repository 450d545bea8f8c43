package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.schema.TableName;
import java.io.IOException;
import java.util.Collection;
import java.util.SortedSet;

/** Looks up rows of other tables. Thread-safe; calls wait for the network. */
@FunctionalInterface
public interface ReferencedRows {
  /** A table does not exist, or is disabled. The message names the table and says which. */
  final class NoTableException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception. */
    public NoTableException(String message) {
      super(message);
    }
  }

  /**
   * Returns those of the given rows that a table does not have.
   *
   * @throws NoTableException if the table does not exist, or is disabled
   * @throws RegionBusyException if the table cannot be asked now
   */
  SortedSet<byte[]> missing(TableName table, Collection<byte[]> rows) throws IOException;
}
