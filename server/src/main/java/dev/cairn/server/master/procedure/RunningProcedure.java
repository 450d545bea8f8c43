package dev.cairn.server.master.procedure;

import dev.cairn.server.master.procedure.ProcedureRecord.Nonce;
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

  /** Whether no lock of a client is in its way any more. */
  boolean begun;

  /** Whether it is to be undone: see {@link ProcedureExecutor#abort}. */
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

  /** Returns what it changes. */
  String resource() {
    return procedure.resource();
  }

  /** Tells whether it has not begun, now or before a restart, so that nothing of it is stored. */
  boolean isRefusable() {
    return !begun && !accepted.isDone();
  }
}
