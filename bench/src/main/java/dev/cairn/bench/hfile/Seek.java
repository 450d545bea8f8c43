package dev.cairn.bench.hfile;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.hfile.reader.HFileReader;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValue;
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

/** Goes to one random cell after another, and takes every byte of each. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Seek {
  /**
   * True if all blocks are in the cache. Cairn's cache holds them decoded; Apache's holds them as
   * they are in the file, but uncompressed.
   */
  @Param({"true", "false"})
  public boolean cached;

  private final Taker taker = new Taker();
  private final Cell key = new Cell();
  private StoreFiles files;
  private HFileReader cairn;
  private CellCursor cursor;
  private Optional<BlockCache> apacheCache;
  private HFile.Reader apache;
  private HFileScanner scanner;
  private KeyValue[] keys;
  private int[] order;
  private int next;

  /** Writes and opens the files, and fills the caches. */
  @Setup(Level.Trial)
  public void open(StoreFiles all) throws IOException {
    files = all;
    apacheCache = cached ? StoreFiles.apacheCache() : Optional.empty();
    Written.write(all, apacheCache);
    keys = files.sample.toKeyValues();
    for (KeyValue sought : keys) {
      // Apache's index holds keys without sequence numbers, and is searched for a key with one.
      sought.setSequenceId(0);
    }
    order = files.sample.shuffled();
    cairn = files.cairn.open(Written.CAIRN, StoreFiles.cairnCache());
    cursor = cairn.cursor(cached);
    apache = files.apache.openForGets(Written.APACHE, apacheCache);
    scanner = Written.get(files, apache, cached);
    for (int i = 0; cached && i < keys.length; i += 50) {
      seek(i);
      scanner.seekTo(keys[i]);
    }
  }

  /** Closes them. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    cursor.close();
    cairn.close();
    scanner.close();
    apache.close(true);
    apacheCache.ifPresent(BlockCache::shutdown);
  }

  /** Cairn's reader. */
  @Benchmark
  public int cairn() throws IOException {
    if (!seek(next())) {
      throw new IllegalStateException("Not found");
    }
    return taker.take(cursor.cell());
  }

  /** Apache's reader. */
  @Benchmark
  public int apache() throws IOException {
    if (scanner.seekTo(keys[next()]) != 0) {
      throw new IllegalStateException("Not found");
    }
    int taken = taker.take((ExtendedCell) scanner.getCell());
    scanner.shipped();
    return taken;
  }

  private boolean seek(int i) throws IOException {
    KeyValue sought = keys[i];
    key.set(sought.getBuffer(), sought.getOffset(), sought.getLength(), Long.MAX_VALUE);
    return cursor.seek(key);
  }

  private int next() {
    next = next + 1 == order.length ? 0 : next + 1;
    return order[next];
  }
}
