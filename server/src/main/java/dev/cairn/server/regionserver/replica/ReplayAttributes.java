package dev.cairn.server.regionserver.replica;

/**
 * The form of messages to replicas as requests of {@code AdminService.Replay}. An entry with cells
 * is a logged change: its {@code key_value_bytes} are the pieces of a {@link
 * dev.cairn.engine.cell.CellBuffer}, in which a length precedes each cell. An entry without cells
 * stands for changed files. The key of an entry names the replica, and has these attributes:
 *
 * <pre>
 *   cairn.owner     first change, files   the token of the region's owner, as text
 *   cairn.opened    first change, files   the number at the region's opening, 8 bytes
 *   cairn.previous  first change          the number of the previous change, 8 bytes
 *   cairn.loaded    change                files were loaded in bulk before the change
 *   cairn.frozen    change, repeated      a family whose flush began before the change
 *   cairn.current   files                 replicas with all changes up to here are current, 8 bytes
 *   cairn.flushed   files, repeated       number up to which a family is in files, 8 bytes; its name
 *   cairn.greeting  (no cells)            the number of a replica that has been opened, 4 bytes
 *   cairn.flush     (no cells)            a replica asks for a flush
 * </pre>
 *
 * <p>The last two are for the region: the key names it, not the replica.
 */
final class ReplayAttributes {
  static final String OWNER = "cairn.owner";
  static final String OPENED = "cairn.opened";
  static final String PREVIOUS = "cairn.previous";
  static final String LOADED = "cairn.loaded";
  static final String FROZEN = "cairn.frozen";
  static final String CURRENT = "cairn.current";
  static final String FLUSHED = "cairn.flushed";
  static final String GREETING = "cairn.greeting";
  static final String FLUSH = "cairn.flush";

  private ReplayAttributes() {}
}
