package dev.cairn.server.traffic.heatmap;

/**
 * A region came to a server or left it.
 *
 * @param atMillis when, milliseconds since 1970
 * @param region the region's encoded name
 * @param start its first row; empty for the table's first
 * @param end the row after its last; empty for the table's end
 * @param server the server, {@code host,port}
 */
public record RegionEvent(
    long atMillis, Kind kind, String region, byte[] start, byte[] end, String server) {
  /** The kinds of events. Files use this order; append only. */
  public enum Kind {
    /** It was opened: at the server's start, or moved here. */
    OPENED,
    /** It was closed: moved away, disabled, or gone. */
    CLOSED,
    /** The region is a daughter of a split. */
    SPLIT,
    /** The region is the result of a merge. */
    MERGED
  }
}
