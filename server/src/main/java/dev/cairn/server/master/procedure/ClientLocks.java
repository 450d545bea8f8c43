package dev.cairn.server.master.procedure;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.procedure.ProcedureRecord.Nonce;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockProcedureData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockedResource;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockedResourceType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.ProcedureState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Locks that clients hold on namespaces, tables and regions ({@code LockService}). A lock and a
 * procedure that need the same resource exclude each other. Requests for a resource are granted in
 * order. A lock ends when its client releases it, when a heartbeat is overdue, and when the master
 * ends: the next master has no locks. Owned by the loop.
 */
public final class ClientLocks {
  /** The time without a heartbeat after which a client's lock ends. */
  public static final ConfigKey<Long> TIMEOUT_MILLIS =
      ConfigKey.number(
          "hbase.master.procedure.remote.locks.timeout.ms",
          30_000,
          1000,
          Integer.MAX_VALUE,
          "Time without a heartbeat from its client after which a lock ends, in milliseconds.");

  private static final Logger LOG = LoggerFactory.getLogger(ClientLocks.class);
  private static final String CLASS_NAME = "org.apache.hadoop.hbase.master.locking.LockProcedure";

  private final MasterLoop loop;
  private final Clock clock;
  private final Duration timeout;
  private final ProcedureExecutor procedures;
  private final Map<Long, Lock> locks = new LinkedHashMap<>(); // in the order of the requests
  private final Map<Nonce, Long> nonces = new HashMap<>();

  /** A lock that a client holds or waits for. */
  private static final class Lock {
    final long id;
    final LockProcedureData data;
    final String owner;
    final LockedResources resources;
    final Optional<Nonce> nonce;
    final long requestedMillis;
    long heardNanos;
    boolean held;

    Lock(
        long id,
        LockProcedureData data,
        String owner,
        Optional<Nonce> nonce,
        long requestedMillis,
        long heardNanos) {
      this.id = id;
      this.data = data;
      this.owner = owner;
      this.resources = LockedResources.of(data);
      this.nonce = nonce;
      this.requestedMillis = requestedMillis;
      this.heardNanos = heardNanos;
    }
  }

  /**
   * Creates an empty set.
   *
   * @param timeout the time without a heartbeat after which a lock ends
   */
  ClientLocks(MasterLoop loop, Clock clock, Duration timeout, ProcedureExecutor procedures) {
    this.loop = loop;
    this.clock = clock;
    this.timeout = timeout;
    this.procedures = procedures;
  }

  /** Returns what a client has locked, or waits to lock. */
  public Optional<LockProcedureData> find(long id) {
    return Optional.ofNullable(locks.get(id)).map(lock -> lock.data);
  }

  /** Tells whether a request with this nonce has a lock, or waits for one. */
  public boolean knows(Nonce nonce) {
    return nonces.containsKey(nonce);
  }

  /** Returns the time after which a lock without a heartbeat ends. */
  public Duration timeout() {
    return timeout;
  }

  /**
   * Requests a lock. A repeated request with the same nonce returns the same lock.
   *
   * @return the lock's id; {@link #heartbeat} tells when it is held
   * @throws IllegalArgumentException if it names nothing, or more than one of namespace, table and
   *     regions of one table
   */
  public long request(LockProcedureData data, String owner, Optional<Nonce> nonce) {
    Optional<Long> known = nonce.map(nonces::get);
    if (known.isPresent()) {
      return known.get();
    }
    Lock lock =
        new Lock(
            procedures.nextId(), data, owner, nonce, clock.currentTimeMillis(), clock.nanoTime());
    locks.put(lock.id, lock);
    nonce.ifPresent(n -> nonces.put(n, lock.id));
    grant();
    loop.after(timeout, () -> expire(lock));
    return lock.id;
  }

  /** Keeps a lock alive. Returns whether it is held: false if it waits or has ended. */
  public boolean heartbeat(long id) {
    Lock lock = locks.get(id);
    if (lock == null) {
      return false;
    }
    lock.heardNanos = clock.nanoTime();
    return lock.held;
  }

  /** Releases a lock, or withdraws its request. */
  public void release(long id) {
    Lock lock = locks.remove(id);
    if (lock != null) {
      lock.nonce.ifPresent(nonces::remove);
      grant();
      procedures.beginWaiting();
    }
  }

  private void expire(Lock lock) {
    if (locks.get(lock.id) != lock) {
      return;
    }
    Duration left = timeout.minusNanos(clock.nanoTime() - lock.heardNanos);
    if (left.isNegative() || left.isZero()) {
      LOG.info(
          "The lock {} of {} on {} ends: no heartbeat came within {} ms",
          lock.id,
          lock.owner,
          lock.resources,
          timeout.toMillis());
      release(lock.id);
    } else {
      loop.after(left, () -> expire(lock));
    }
  }

  /**
   * Tells whether the procedure {@code id} must wait for a lock: one that a client holds, or one
   * that a client requested before the procedure.
   */
  boolean exclude(LockedResources needed, long id) {
    return locks.values().stream()
        .anyMatch(lock -> (lock.held || lock.id < id) && lock.resources.conflictWith(needed));
  }

  /** Grants all waiting requests that nothing blocks. */
  void grant() {
    for (Lock lock : locks.values()) {
      if (!lock.held && isFree(lock)) {
        lock.held = true;
      }
    }
  }

  private boolean isFree(Lock wanted) {
    for (Lock earlier : locks.values()) {
      if (earlier == wanted) {
        break;
      }
      if (earlier.resources.conflictWith(wanted.resources)) {
        return false;
      }
    }
    return procedures.takenBefore(wanted.id).stream().noneMatch(wanted.resources::conflictWith);
  }

  /** Returns the held locks and the waiting requests, as HBase's messages. */
  public List<LockedResource> describe() {
    return locks.values().stream()
        .map(
            lock -> {
              LockedResource.Builder resource =
                  LockedResource.newBuilder()
                      .setResourceType(type(lock.data))
                      .setResourceName(lock.resources.toString())
                      .setLockType(lock.data.getLockType())
                      .setSharedLockCount(
                          lock.held && lock.data.getLockType() == LockType.SHARED ? 1 : 0);
              if (!lock.held) {
                resource.addWaitingProcedures(message(lock));
              } else if (lock.data.getLockType() == LockType.EXCLUSIVE) {
                resource.setExclusiveLockOwnerProcedure(message(lock));
              }
              return resource.build();
            })
        .toList();
  }

  private static LockedResourceType type(LockProcedureData data) {
    if (data.hasNamespace()) {
      return LockedResourceType.NAMESPACE;
    }
    return data.hasTableName() ? LockedResourceType.TABLE : LockedResourceType.REGION;
  }

  private ProcedureProtos.Procedure message(Lock lock) {
    return ProcedureProtos.Procedure.newBuilder()
        .setClassName(CLASS_NAME)
        .setProcId(lock.id)
        .setSubmittedTime(lock.requestedMillis)
        .setLastUpdate(lock.requestedMillis)
        .setOwner(lock.owner)
        .setState(lock.held ? ProcedureState.WAITING_TIMEOUT : ProcedureState.WAITING)
        .addStateMessage(ProcedureRecord.pack(lock.data))
        .build();
  }
}
