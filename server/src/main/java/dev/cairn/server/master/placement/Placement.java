package dev.cairn.server.master.placement;

/**
 * Decides which server a region goes to. Assignment, recovery, splits and merges, moves and the
 * balancer all ask here; none of them chooses a server itself.
 *
 * <p>A decision has no effect: the caller opens or moves the region. It follows from the request
 * alone, so that a simulated cluster can repeat a run. Called by the loop's owner; does not wait.
 */
@FunctionalInterface
public interface Placement {
  /** Decides where the region of {@code request} goes. */
  PlacementDecision place(PlacementRequest request);
}
