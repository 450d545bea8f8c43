package dev.cairn.bench.hfile;

import dev.cairn.bench.folder.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The common start of all measurements: cells, a folder of their own, and the writers of files in
 * it.
 */
@State(Scope.Benchmark)
public class StoreFiles {
  static final long CACHE_BYTES = 1L << 30;

  /** The number of cells in a file. */
  @Param("300000")
  public int cells;

  /** The encoding of data blocks. */
  @Param({"NONE", "FAST_DIFF"})
  public String encoding;

  /** The compression of blocks. */
  @Param({"NONE", "SNAPPY"})
  public String compression;

  /** The Snappy implementation of Apache: {@code native} or {@code java}. */
  @Param("native")
  public String snappy;

  /** The memory of Apache's uncached blocks: {@code pool} or {@code heap}. */
  @Param("pool")
  public String buffers;

  /** The number of threads that compress for Cairn's writer; a server on two processors has one. */
  @Param("1")
  public int helpers;

  /** The parent of the folder. */
  @Param("")
  public String directory;

  SampleCells sample;
  CairnFiles cairn;
  ApacheFiles apache;
  private Path folder;
  private Optional<ExecutorService> pool = Optional.empty();

  /** Makes cells and folder. */
  @Setup(Level.Trial)
  public void prepare() throws IOException {
    folder =
        directory.isEmpty()
            ? Files.createTempDirectory("cairn-bench")
            : Files.createTempDirectory(Path.of(directory), "cairn-bench");
    sample = new SampleCells(cells);
    if (helpers > 0) {
      pool = Optional.of(Executors.newFixedThreadPool(helpers));
    }
    cairn = new CairnFiles(folder, encoding, compression, pool.map(Executor.class::cast));
    apache = new ApacheFiles(folder, encoding, compression, snappy, buffers);
  }

  /** Deletes the folder. */
  @TearDown(Level.Trial)
  public void delete() throws IOException {
    pool.ifPresent(ExecutorService::shutdown);
    Folders.delete(folder);
  }

  /** Returns Apache's cache of blocks on the heap; its blocks stay encoded and are decompressed. */
  static Optional<BlockCache> apacheCache() {
    return Optional.of(new LruBlockCache(CACHE_BYTES, CairnFiles.BLOCK_SIZE));
  }

  /** Returns Cairn's cache; its blocks are decompressed and decoded. */
  static dev.cairn.engine.hfile.cache.BlockCache cairnCache() {
    return new dev.cairn.engine.hfile.cache.BlockCache(CACHE_BYTES, Runnable::run);
  }
}
