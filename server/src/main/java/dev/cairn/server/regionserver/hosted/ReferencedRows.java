package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.schema.TableName;
import java.io.IOException;
import java.util.Collection;
import java.util.SortedSet;

/** Looks up rows of other tables. Thread-safe; calls wait for the network. */
@FunctionalInterface
public interface ReferencedRows {
  /**
   * Returns those of the given rows that a table does not have; all if there is no such table.
   *
   * @throws RegionBusyException if the table cannot be asked now
   */
  SortedSet<byte[]> missing(TableName table, Collection<byte[]> rows) throws IOException;
}
