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
 *   <li>{@link #locks} has the locks of its rows. The caller takes them, and keeps them until the
 *       write is complete. So a read under the locks sees all earlier writes to these rows.
 *   <li>{@link SteppedWrite#newestIfAllHold} tests conditions.
 *   <li>{@link SteppedWrite#resolveEach} or {@link SteppedWrite#resolveTogether} checks mutations
 *       and makes their cells final.
 *   <li>{@link SteppedWrite#assemble} makes one log entry of the mutations.
 *   <li>{@link SteppedWrite#stage} logs it; {@link dev.cairn.engine.region.write.PendingWrite#join}
 *       waits until it is complete. Until then no other step is possible, and reads see no later
 *       write of the region; the end of the {@link SteppedWrite} lets it complete in any case.
 * </ol>
 *
 * <p>Between the steps the caller may do anything that takes time, and the thread may also write to
 * the region, to the rows that it has locked too: in steps, or in one call while the region is not
 * closing. If it gives up before {@link SteppedWrite#stage}, nothing has happened.
 */
public interface WriteSteps {
  /**
   * Enters the region, which does not close before the visit ends. A thread that is inside may
   * enter again, even if closing has begun: it would not end before the thread leaves.
   *
   * @return the visit; it may end on any thread, and ending it twice is one
   */
  RegionGate.Visit enter() throws RegionClosedException;

  /** Returns the locks of single rows, which all other writes respect. */
  ExplicitRowLocks locks();

  /**
   * Enters the region for a write, which the caller closes.
   *
   * @throws IOException if the region takes no writes at present: the log's disk is full, or the
   *     memstores are
   */
  SteppedWrite begin() throws IOException;
}
