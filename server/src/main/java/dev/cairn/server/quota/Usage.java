package dev.cairn.server.quota;

/**
 * The amounts that a call asks for.
 *
 * @param reads number of reads
 * @param writes number of mutations
 * @param atomics number of mutations that read first: increments, appends, checks
 * @param writeBytes bytes of cells that it writes
 */
public record Usage(long reads, long writes, long atomics, long writeBytes) {
  /** Returns what both ask for together. */
  public Usage plus(Usage other) {
    return new Usage(
        reads + other.reads,
        writes + other.writes,
        atomics + other.atomics,
        writeBytes + other.writeBytes);
  }
}
