package dev.cairn.server.master;

import dev.cairn.server.master.ProcedureRecord.Nonce;
import dev.cairn.server.rpc.RpcCall;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;

/**
 * The way from a handler thread to the master's owner: refuses calls while this master does not
 * lead, as HBase's clients expect it, and waits for answers no longer than the caller does.
 */
final class MasterGate {
  private static final Duration PATIENCE_MAX = Duration.ofMinutes(2);

  private final Master master;

  MasterGate(Master master) {
    this.master = master;
  }

  /** Answers from what the master knows. */
  @FunctionalInterface
  interface Question<T> {
    T answer(ActiveMaster master) throws IOException;
  }

  /** Begins something whose end completes the future. */
  @FunctionalInterface
  interface Beginning<T> {
    void begin(ActiveMaster master, CompletableFuture<T> future) throws IOException;
  }

  Master master() {
    return master;
  }

  /** Asks an initialized master. */
  <T> T ask(RpcCall call, Question<T> question) throws IOException {
    return request(call, (active, future) -> future.complete(question.answer(active)));
  }

  /** Has an initialized master begin something, and waits for its end. */
  <T> T request(RpcCall call, Beginning<T> beginning) throws IOException {
    return requestEarly(
        call, (active, future) -> beginning.begin(active.requireInitialized(), future));
  }

  /** Has a master that leads, initialized or not, begin something, and waits for its end. */
  <T> T requestEarly(RpcCall call, Beginning<T> beginning) throws IOException {
    ActiveMaster active = requireActive();
    return master
        .loop()
        .request(
            future -> {
              try {
                beginning.begin(active, future);
              } catch (IOException e) {
                future.completeExceptionally(e);
              } catch (RuntimeException e) {
                future.completeExceptionally(
                    new DoNotRetryIOException("The request cannot be understood: " + e, e));
              }
            },
            patience(call));
  }

  /** Submits a procedure and returns its id. */
  long submit(RpcCall call, long nonceGroup, long nonce, Question<Procedure> procedure)
      throws IOException {
    return this.<Long>request(
        call,
        (active, future) ->
            active
                .procedures()
                .submit(
                    procedure.answer(active), call.user(), Nonce.of(nonceGroup, nonce), future));
  }

  private ActiveMaster requireActive() throws ServerNotRunningYetException {
    Optional<ActiveMaster> active = master.active();
    return active.orElseThrow(() -> new ServerNotRunningYetException("Server is not running yet"));
  }

  private Duration patience(RpcCall call) {
    if (call.deadlineNanos() == Long.MAX_VALUE) {
      return PATIENCE_MAX;
    }
    long now = master.world().clock().nanoTime();
    Duration left = Duration.ofNanos(Math.max(0, call.deadlineNanos() - now));
    return left.compareTo(PATIENCE_MAX) < 0 ? left : PATIENCE_MAX;
  }
}
