package dev.cairn.server.master.service;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.master.procedure.ProcedureRecord.Nonce;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.PleaseHoldException;

/**
 * Answers requests with the same nonce one after another. So hooks do not see a request again if a
 * client repeats it during the first attempt. Thread-safe.
 */
final class NonceTurns {
  private final Clock clock;
  private final Map<Nonce, CompletableFuture<Void>> busy = new ConcurrentHashMap<>();

  NonceTurns(Clock clock) {
    this.clock = clock;
  }

  /** Answers a request. */
  @FunctionalInterface
  interface Answer<R> {
    R answer() throws IOException;
  }

  /**
   * Answers a request when no other with its nonce is being answered.
   *
   * @param patience how long the request waits in total
   * @throws PleaseHoldException if another one is being answered for too long
   */
  <R> R inTurn(Nonce nonce, Duration patience, Answer<R> answer) throws IOException {
    long end = clock.nanoTime() + patience.toNanos();
    CompletableFuture<Void> own = new CompletableFuture<>();
    for (CompletableFuture<Void> first = busy.putIfAbsent(nonce, own);
        first != null;
        first = busy.putIfAbsent(nonce, own)) {
      await(first, end);
    }
    try {
      return answer.answer();
    } finally {
      busy.remove(nonce);
      own.complete(null);
    }
  }

  private void await(CompletableFuture<Void> first, long end) throws IOException {
    try {
      if (!clock.await(first, Math.max(0, end - clock.nanoTime()))) {
        throw new PleaseHoldException("The same request is still being answered");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while the same request is being answered");
    }
  }
}
