package dev.cairn.torture.model;

/** The possible effect of a crash on a part of a write. */
enum Fate {
  /** None: it is in the log, or in a file. */
  SAFE,
  /** It is in no log; until it is filed, it goes with the process. */
  UNLOGGED,
  /**
   * It was queued for the log without a waiter: it is lost together with all later parts of the
   * row.
   */
  UNSYNCED,
  /** It failed: it may be there, or may yet come, or not. */
  OPEN
}
