package dev.cairn.bench.hfile;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.hfile.reader.HFileReader;
import java.io.IOException;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;

/**
 * The files that readers read: each side's own, written and compared before anything is measured.
 */
final class Written {
  static final String CAIRN = "cairn";
  static final String APACHE = "apache";
  static final Cell START = Cell.firstOnRow(new byte[0]);

  /** The number of Apache's cells that are read before it may reuse the memory of their blocks. */
  static final int SHIP_EVERY = 1024;

  private Written() {}

  /**
   * Writes both files.
   *
   * @param cache Apache's, as in the measurement that follows, because code is compiled for its
   *     observed types
   * @throws IllegalStateException if a reader does not find in one what the other finds in the
   *     other
   */
  static void write(StoreFiles files, Optional<BlockCache> cache) throws IOException {
    long own = files.cairn.write(CAIRN, files.sample);
    files.apache.write(APACHE, files.sample.toKeyValues());
    long theirs = files.apache.length(APACHE);
    CRC32C ownSum = new CRC32C();
    CRC32C theirSum = new CRC32C();
    Taker taker = new Taker();
    int found = 0;
    try (HFileReader reader = files.cairn.open(CAIRN, StoreFiles.cairnCache());
        CellCursor cursor = reader.cursor(false)) {
      for (boolean more = cursor.seek(START); more; more = cursor.next()) {
        taker.addTo(ownSum, cursor.cell());
        found++;
      }
    }
    try (HFile.Reader reader = files.apache.openForScans(APACHE, cache);
        HFileScanner scanner = scan(files, reader, cache.isPresent())) {
      int unshipped = 0;
      for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
        taker.addTo(theirSum, (ExtendedCell) scanner.getCell());
        if (++unshipped % SHIP_EVERY == 0) {
          scanner.shipped();
        }
      }
    }
    if (found != files.cells || ownSum.getValue() != theirSum.getValue()) {
      throw new IllegalStateException("Both files should have the same cells, and have not");
    }
    System.out.printf(
        "bytes per cell: cairn %.2f apache %.2f%n", own / (double) found, theirs / (double) found);
  }

  /** Returns a scanner such as a long scan has. */
  static HFileScanner scan(StoreFiles files, HFile.Reader reader, boolean cacheBlocks) {
    return reader.getScanner(files.apache.configuration(), cacheBlocks, false);
  }

  /** Returns a scanner such as a get has. */
  static HFileScanner get(StoreFiles files, HFile.Reader reader, boolean cacheBlocks) {
    return reader.getScanner(files.apache.configuration(), cacheBlocks, true);
  }
}
