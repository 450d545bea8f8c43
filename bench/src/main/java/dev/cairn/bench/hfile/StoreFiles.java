package dev.cairn.bench.hfile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What all measurements begin with: cells, a folder of their own, and what makes files there. */
@State(Scope.Benchmark)
public class StoreFiles {
  static final long CACHE_BYTES = 1L << 30;

  /** How many cells a file has. */
  @Param("300000")
  public int cells;

  /** How cells lie in data blocks. */
  @Param({"NONE", "FAST_DIFF"})
  public String encoding;

  /** How blocks are compressed. */
  @Param({"NONE", "SNAPPY"})
  public String compression;

  /** Which Snappy Apache uses: {@code native} or {@code java}. */
  @Param("native")
  public String snappy;

  /** Where Apache's blocks lie that are not cached: {@code pool} or {@code heap}. */
  @Param("pool")
  public String buffers;

  /** How many threads help Cairn's writer to compress; a server on two processors has one. */
  @Param("1")
  public int helpers;

  /** Where the folder is made. */
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
    try (Stream<Path> all = Files.walk(folder)) {
      all.sorted(Comparator.reverseOrder())
          .forEach(
              path -> {
                try {
                  Files.delete(path);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
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
