package dev.cairn.engine.scan;

import java.util.Optional;

/**
 * A memstore or a file, as an explanation shows it.
 *
 * @param name the file's name; empty for a memstore
 * @param frozen whether it is a memstore that waits to be flushed
 * @param cells how many cells it has, in all its rows
 * @param bytes its size
 * @param minTimestamp its lowest timestamp, 0 if a marker in it covers earlier ones; {@link
 *     Long#MAX_VALUE} if it has no cells
 * @param maxTimestamp its highest timestamp; {@link Long#MIN_VALUE} if it has no cells
 * @param firstRow its first row, if it is a file with cells
 * @param lastRow its last row, likewise
 * @param bloom the type of its Bloom filter; {@code NONE} if it has none
 */
public record SourceFacts(
    String name,
    boolean frozen,
    long cells,
    long bytes,
    long minTimestamp,
    long maxTimestamp,
    Optional<byte[]> firstRow,
    Optional<byte[]> lastRow,
    String bloom) {
  /** Tells whether it is a memstore. */
  public boolean inMemory() {
    return name.isEmpty();
  }
}
