package dev.cairn.tools.inspect;

import java.util.Optional;

/**
 * The parts of a store file that are printed.
 *
 * @param verbose the name of each file, and how many cells there are
 * @param keys the key of each cell
 * @param values the value and the tags of each cell, with the key
 * @param meta trailer, file info, Bloom filters
 * @param blockIndex the root of the index
 * @param blockHeaders the header of each block
 * @param statistics figures about keys, values and rows
 * @param ranges counts of keys, values and rows by range
 * @param checkRow warn of rows that are not in order
 * @param checkFamily warn of cells that are not of the family of the file's folder
 * @param row the only row to print
 */
public record HFileView(
    boolean verbose,
    boolean keys,
    boolean values,
    boolean meta,
    boolean blockIndex,
    boolean blockHeaders,
    boolean statistics,
    boolean ranges,
    boolean checkRow,
    boolean checkFamily,
    Optional<byte[]> row) {
  /** Tells whether cells are looked at. */
  boolean scans() {
    return verbose || keys || values || statistics || checkRow || checkFamily;
  }
}
