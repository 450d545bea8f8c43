package dev.cairn.engine.region.steps;

import dev.cairn.engine.region.state.RegionClosedException;
import dev.cairn.engine.region.state.RegionGate;
import dev.cairn.engine.region.write.ExplicitRowLocks;
import java.io.IOException;

/**
 * The writes of a region in steps, for a caller that decides between them. Thread-safe. All methods
 * may wait, so network threads must not call them.
 *
 * <p>The steps of a write, all by one thread:
 *
 * <ol>
 *   <li>{@link #begin} enters the region.
 *   <li>{@link #locks} returns the locks of rows. The caller locks the rows of the write until it
 *       is complete. So a read under the locks sees all earlier writes to these rows.
 *   <li>{@link SteppedWrite#newestIfAllHold} tests conditions.
 *   <li>{@link SteppedWrite#resolveEach} or {@link SteppedWrite#resolveTogether} checks mutations
 *       and makes their cells final.
 *   <li>{@link SteppedWrite#assemble} makes one log entry of the mutations.
 *   <li>{@link SteppedWrite#stage} logs it; {@link dev.cairn.engine.region.write.PendingWrite#join}
 *       waits until it is complete. Until then no other step is possible, and reads see no later
 *       write of the region. Closing the {@link SteppedWrite} completes it in any case.
 * </ol>
 *
 * <p>Between the steps, the caller may block. Its thread may also write to the region, even to rows
 * that it has locked: in steps, or in one call while the region is not closing. If the caller stops
 * before {@link SteppedWrite#stage}, nothing is written.
 */
public interface WriteSteps {
  /**
   * Enters the region, which does not close before the visit ends. A thread that is inside may
   * enter again even while the region is closing, because the close waits for the thread.
   *
   * @return the visit; any thread may end it, and ending it again has no effect
   */
  RegionGate.Visit enter() throws RegionClosedException;

  /** Returns the locks of single rows, which all other writes observe. */
  ExplicitRowLocks locks();

  /**
   * Enters the region for a write, which the caller closes.
   *
   * @throws IOException if the region takes no writes now: the disk of the log is full, or the
   *     memstores are full
   */
  SteppedWrite begin() throws IOException;
}
