package dev.cairn.server.master.placement;

/** Why a server is needed for a region. */
public enum PlacementReason {
  /** The region is closed and is to be open: it is new, or its table is enabled or altered. */
  OPEN,
  /** The server that had the region is gone. */
  RECOVERY,
  /** The server that had the region is gone, and a replica of the region is open elsewhere. */
  PROMOTION,
  /** The last opening failed. */
  RETRY,
  /** The region takes the place of others, which were split or merged. */
  REPLACEMENT,
  /** An administrator moves the region. */
  MOVE,
  /** The balancer moves the region. */
  BALANCE;

  /** Tells whether the region is to leave the server that has it. */
  boolean leavesServer() {
    return this == MOVE || this == BALANCE;
  }
}
