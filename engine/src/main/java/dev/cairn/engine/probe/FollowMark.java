package dev.cairn.engine.probe;

/** The branches of replicas that follow the log of their regions, and of the regions' feeds. */
public enum FollowMark {
  /** A feed dropped a change for lack of room. */
  FEED_DROPPED,
  /** A feed ended a batch at its limit of bytes. */
  BATCH_FULL,
  /** A feed ended a batch before a change that is not durable, or not visible, yet. */
  BATCH_BEFORE_UNREADY,
  /** A batch was split because files were loaded between two of its changes. */
  BATCH_SPLIT_AT_LOAD,
  /** A replica refused a batch, because it lacked earlier changes. */
  GAP,
  /** A replica refused a message of an earlier owner. */
  FORMER_OWNER,
  /** A replica began to follow another owner. */
  NEXT_OWNER,
  /** A replica skipped a change that it had. */
  CHANGE_KNOWN,
  /** A replica added all cells of a change at once. */
  CHANGE_WHOLE,
  /** A replica added only those cells of a change that its files may lack. */
  CHANGE_IN_PART,
  /** A replica added a change below its read point as a segment. */
  CHANGE_LATE,
  /** A replica had too many segments to add another one. */
  SEGMENTS_FULL,
  /** A flush of the region divided the replica's memory. */
  MEMORY_FROZEN
}
