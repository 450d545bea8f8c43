package dev.cairn.server.regionserver.maintenance;

import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.write.MemStoreRoom;
import dev.cairn.engine.schema.TableName;
import java.util.function.BooleanSupplier;

/**
 * The shared memory for a table with hooks. Refuses writes while hooks hold up flushes and the
 * tables concerned hold their share of the memory.
 *
 * @param isFull tells whether the table's memstores must not grow
 */
record HookedRoom(MemStoreRoom shared, BooleanSupplier isFull, TableName table)
    implements MemStoreRoom {
  private void check() throws RegionBusyException {
    if (isFull.getAsBoolean()) {
      throw new RegionBusyException(
          "A coprocessor holds up a flush of table "
              + table
              + ", and tables in this state hold half of the memory for memstores; try again later");
    }
  }

  @Override
  public void reserve(long bytes) throws RegionBusyException {
    check();
    shared.reserve(bytes);
  }

  @Override
  public void keep(long bytes) throws RegionBusyException {
    check();
    shared.keep(bytes);
  }

  @Override
  public void reserveForReplica(long bytes) throws RegionBusyException {
    shared.reserveForReplica(bytes);
  }

  @Override
  public boolean tryReserve(long bytes) {
    return shared.tryReserve(bytes);
  }

  @Override
  public void release(long bytes) {
    shared.release(bytes);
  }

  @Override
  public void usedKept(long bytes) {
    shared.usedKept(bytes);
  }

  @Override
  public void releaseKept(long bytes) {
    shared.releaseKept(bytes);
  }
}
