package dev.cairn.server.master.procedure;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.master.procedure.ProcedureRecord.Nonce;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A procedure that has been submitted and is not done. Owned by the loop. */
final class RunningProcedure {
  final Procedure procedure;
  final long id;
  final String owner;
  final Optional<Nonce> nonce;

  /** Completed with the id once the procedure is stored, or with the reason of the refusal. */
  final CompletableFuture<Long> accepted;

  /** Failures since the last step that succeeded. */
  int failures;

  /** True if it has its locks: no other procedure and no client lock is in its way. */
  boolean begun;

  /** True if it keeps its locks, but no step runs before the master starts again. */
  boolean suspended;

  /** True if it is done or refused. */
  boolean released;

  /** True if it must be undone: see {@link ProcedureExecutor#abort}. */
  boolean aborted;

  RunningProcedure(
      Procedure procedure,
      long id,
      String owner,
      Optional<Nonce> nonce,
      CompletableFuture<Long> accepted) {
    this.procedure = procedure;
    this.id = id;
    this.owner = owner;
    this.nonce = nonce;
    this.accepted = accepted;
  }

  /** Returns the resource that it changes. */
  String resource() {
    return procedure.resource();
  }

  /** Returns the resources that it locks. */
  LockedResources locks() {
    return LockedResources.of(procedure);
  }

  /** Tells whether it cannot run at the same time as another procedure on the same resource. */
  boolean excludes(RunningProcedure other) {
    List<RegionInfo> own = procedure.lockedRegions();
    List<RegionInfo> others = other.procedure.lockedRegions();
    return own.isEmpty()
        || others.isEmpty()
        || own.stream().anyMatch(region -> others.stream().anyMatch(region::overlaps));
  }

  /** Tells whether it waits to begin. */
  boolean isWaiting() {
    return !begun && !released;
  }

  /** Tells whether it has not begun, now or before a restart, so that nothing of it is stored. */
  boolean isRefusable() {
    return !begun && !accepted.isDone();
  }
}
