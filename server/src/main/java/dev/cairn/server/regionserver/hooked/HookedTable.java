package dev.cairn.server.regionserver.hooked;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.regionserver.hooked.HandlerShares.Turn;
import dev.cairn.server.rpc.service.RpcCall;
import org.apache.hadoop.hbase.RegionTooBusyException;

/**
 * A table with hooks, for the calls that may run them. Thread-safe.
 *
 * @param shares limits the handlers that work on the table
 */
public record HookedTable(TableName table, HandlerShares shares) {
  /**
   * Takes the call's handler for the table; takes nothing if the call is on a network thread, where
   * no hook runs.
   *
   * @throws RegionTooBusyException if the table has its share of handlers
   */
  public Turn enter(RpcCall call) throws RegionTooBusyException {
    return call.handlers().isPresent()
        ? shares.enter(table, call.handlers().get())
        : Turn.UNLIMITED;
  }
}
