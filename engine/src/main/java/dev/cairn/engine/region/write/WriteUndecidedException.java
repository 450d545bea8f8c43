package dev.cairn.engine.region.write;

import dev.cairn.engine.cell.CellBuffer;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/**
 * A write waits for something that may take long, room on the log's disk for example, and its
 * caller is not kept. Nobody sees it yet. It is done later, or never, but not half: {@link
 * #outcome} tells.
 */
public final class WriteUndecidedException extends IOException {
  private static final long serialVersionUID = 1;

  private final transient CompletableFuture<CellBuffer> outcome;

  WriteUndecidedException(String message, Throwable cause, CompletableFuture<CellBuffer> outcome) {
    super(message, cause);
    this.outcome = outcome;
  }

  /**
   * Returns the same for a part of the write.
   *
   * @param result the result of the part
   */
  public WriteUndecidedException returning(CellBuffer result) {
    return new WriteUndecidedException(getMessage(), getCause(), outcome.thenApply(done -> result));
  }

  /**
   * Completes with the write's result when it is done and seen by all, exceptionally if it never
   * will be. Completes on a thread of the engine's, which must not be kept.
   */
  public CompletableFuture<CellBuffer> outcome() {
    return outcome;
  }
}
