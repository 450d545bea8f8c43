package dev.cairn.server.quota;

/**
 * What a call asks for.
 *
 * @param reads how many reads it makes
 * @param writes how many mutations it makes
 * @param atomics how many of these have to read first: increments, appends, checks
 * @param writeBytes the bytes of cells that it writes
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
