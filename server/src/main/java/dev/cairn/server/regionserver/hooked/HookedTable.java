package dev.cairn.server.regionserver.hooked;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.regionserver.hooked.HandlerShares.Turn;
import dev.cairn.server.rpc.service.RpcCall;
import java.util.List;
import org.apache.hadoop.hbase.RegionTooBusyException;

/**
 * A table with hooks, for one of its regions. Thread-safe.
 *
 * @param shares limits the handlers that work on the table
 * @param loaded the coprocessors of the region
 */
public record HookedTable(TableName table, HandlerShares shares, List<LoadedClass> loaded) {
  /** Copies the list. */
  public HookedTable {
    loaded = List.copyOf(loaded);
  }

  /**
   * Takes the call's handler for the table; takes nothing if the call is on a network thread, where
   * no hook runs.
   *
   * @throws RegionTooBusyException if the table holds its share of handlers
   */
  public Turn enter(RpcCall call) throws RegionTooBusyException {
    return call.handlers().isPresent()
        ? shares.enter(table, call.handlers().get())
        : Turn.UNLIMITED;
  }
}
