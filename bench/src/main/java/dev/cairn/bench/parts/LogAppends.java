package dev.cairn.bench.parts;

import dev.cairn.bench.folder.Folders;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The log, on the local disk: entries of one cell of 100 bytes. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LogAppends {
  private static final int GROUP = 100;
  private static final long FILE_BYTES = 64L << 20;
  private static final int FILES_MAX = 4;
  private static final String REGION = "0123456789abcdef0123456789abcdef";

  /** The durability of an entry when the log says that it is safe. */
  @Param({"FLUSHED", "SYNCED"})
  public SyncLevel syncLevel;

  private final TableName table = TableName.parse("t");
  private Path folder;
  private Wal log;
  private CellBuffer cells;
  private long sequence;

  /** Opens the log. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    folder = Files.createTempDirectory("cairn-bench");
    log =
        GroupCommitWal.open(
            new LocalStorage(folder),
            new WalConfig("WALs/s", "oldWALs", "s", syncLevel, FILE_BYTES, FILES_MAX),
            Clock.SYSTEM,
            task -> {
              Thread thread = new Thread(task);
              thread.setDaemon(true);
              return thread;
            },
            WalListener.NONE);
    cells = new CellBuffer();
    cells.add(new SampleMemory(1).get(0));
  }

  /** Marks the entries as flushed now and then, so that the files move out of the way. */
  @TearDown(Level.Iteration)
  public void forget() throws IOException {
    log.flushed(REGION, sequence);
    log.roll();
    Folders.delete(folder.resolve("oldWALs"));
  }

  /** Closes it. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    log.close();
    Folders.delete(folder);
  }

  /** One entry, waited for: what a single writer pays. */
  @Benchmark
  public void appendAndSync() throws IOException {
    log.sync(append());
  }

  /** One entry of a hundred that are waited for together. */
  @Benchmark
  @OperationsPerInvocation(GROUP)
  public void appendOfMany() throws IOException {
    long txid = 0;
    for (int i = 0; i < GROUP; i++) {
      txid = append();
    }
    log.sync(txid);
  }

  private long append() throws IOException {
    sequence++;
    return log.append(
        new WalEntry(REGION, table, sequence, Clock.SYSTEM.currentTimeMillis(), cells));
  }
}
