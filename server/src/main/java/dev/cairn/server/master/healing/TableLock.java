package dev.cairn.server.master.healing;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.procedure.ClientLocks;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockProcedureData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockType;

/**
 * Keeps procedures off a table while its regions are repaired, with the kind of lock that clients
 * hold. Owned by the loop.
 */
final class TableLock {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final String OWNER = "cairn";

  private final MasterLoop loop;
  private final ClientLocks locks;
  private final long id;
  private boolean released;

  private TableLock(MasterLoop loop, ClientLocks locks, long id) {
    this.loop = loop;
    this.locks = locks;
    this.id = id;
  }

  /** Requests the lock, and hands it to {@code held} once no procedure works on the table. */
  static void request(
      MasterLoop loop, ClientLocks locks, TableName table, Consumer<TableLock> held) {
    LockProcedureData data =
        LockProcedureData.newBuilder()
            .setLockType(LockType.EXCLUSIVE)
            .setTableName(Messages.message(table))
            .setDescription("repairs the regions of the table")
            .build();
    TableLock lock = new TableLock(loop, locks, locks.request(data, OWNER, Optional.empty()));
    lock.await(held);
  }

  private void await(Consumer<TableLock> held) {
    if (locks.heartbeat(id)) {
      keep();
      held.accept(this);
    } else {
      loop.after(POLL, () -> await(held));
    }
  }

  private void keep() {
    if (!released) {
      locks.heartbeat(id);
      loop.after(locks.timeout().dividedBy(3), this::keep);
    }
  }

  /** Tells whether the lock is still held: it ends when the loop was held up for too long. */
  boolean isHeld() {
    return !released && locks.heartbeat(id);
  }

  /** Releases the lock. */
  void release() {
    released = true;
    locks.release(id);
  }
}
