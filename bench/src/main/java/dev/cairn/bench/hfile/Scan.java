package dev.cairn.bench.hfile;

import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.hfile.reader.HFileReader;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/** Reads all cells of a file in order and takes every byte of each. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Scan {
  /**
   * True if blocks come from the cache, as for a repeated scan; false if they come from the
   * operating system's cache each time, as for a compaction.
   */
  @Param({"false", "true"})
  public boolean cached;

  private final Taker taker = new Taker();
  private StoreFiles files;
  private HFileReader cairn;
  private Optional<BlockCache> apacheCache;
  private HFile.Reader apache;

  /** Writes and opens the files. */
  @Setup(Level.Trial)
  public void open(StoreFiles all) throws IOException {
    files = all;
    apacheCache = cached ? StoreFiles.apacheCache() : Optional.empty();
    Written.write(all, apacheCache);
    cairn = files.cairn.open(Written.CAIRN, StoreFiles.cairnCache());
    apache = files.apache.openForScans(Written.APACHE, apacheCache);
  }

  /** Closes them. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    cairn.close();
    apache.close(true);
    apacheCache.ifPresent(BlockCache::shutdown);
  }

  /** Cairn's reader. */
  @Benchmark
  public void cairn(Blackhole hole) throws IOException {
    try (CellCursor cursor = cairn.cursor(cached)) {
      for (boolean more = cursor.seek(Written.START); more; more = cursor.next()) {
        hole.consume(taker.take(cursor.cell()));
      }
    }
  }

  /** Apache's reader. */
  @Benchmark
  public void apache(Blackhole hole) throws IOException {
    try (HFileScanner scanner = Written.scan(files, apache, cached)) {
      int unshipped = 0;
      for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
        hole.consume(taker.take((ExtendedCell) scanner.getCell()));
        if (++unshipped % Written.SHIP_EVERY == 0) {
          scanner.shipped();
        }
      }
    }
  }
}
