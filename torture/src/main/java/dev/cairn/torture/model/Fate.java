package dev.cairn.torture.model;

/** The possible effect of a crash on a part of a write. */
enum Fate {
  /** None: it is in the log, or in a file. */
  SAFE,
  /** It is in no log; until it is filed, it goes with the process. */
  UNLOGGED,
  /** It was queued for the log and nobody waited: it goes with all of the row's that came later. */
  UNSYNCED,
  /** It failed: it may be there, or may yet come, or not. */
  OPEN
}
