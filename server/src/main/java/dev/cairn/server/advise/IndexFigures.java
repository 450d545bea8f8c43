package dev.cairn.server.advise;

/**
 * What scans gain from an index, and what it takes, in some regions of the table.
 *
 * @param name the index
 * @param isComplete whether all store files of these regions have it; scans use it only then
 * @param uses how many scans have used it since {@code sinceMillis}, or longer in some regions
 * @param sinceMillis when the last of these regions was opened, milliseconds since 1970
 * @param bytes its bytes in store files
 */
public record IndexFigures(
    String name, boolean isComplete, long uses, long sinceMillis, long bytes) {
  /** Returns the figures of an index that a server does not report. */
  static IndexFigures unknown(String name) {
    return new IndexFigures(name, false, 0, 0, 0);
  }

  /** Returns these figures and those of the same index in other regions. */
  public IndexFigures and(IndexFigures other) {
    return new IndexFigures(
        name,
        isComplete && other.isComplete,
        uses + other.uses,
        Math.max(sinceMillis, other.sinceMillis),
        bytes + other.bytes);
  }
}
