package dev.cairn.coprocessor.server;

import dev.cairn.coprocessor.environment.ServerEnvironment;
import dev.cairn.coprocessor.facade.StoragePaths;
import dev.cairn.coprocessor.load.ClassRules;
import dev.cairn.coprocessor.load.CoprocessorLoader;
import dev.cairn.coprocessor.load.SitePlan;
import dev.cairn.coprocessor.log.LogEdits;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.wal.WalHook;
import dev.cairn.engine.wal.file.WalAttributes;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.hook.CoprocessorClass;
import dev.cairn.server.hook.HookFailedException;
import dev.cairn.server.hook.LogHooks;
import dev.cairn.server.hook.RegionHost;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The coprocessors of a region server's logs while it runs. HBase calls the hooks of entries on the
 * one thread of the log. Here the threads of writes call them, one at a time and in the order of
 * the log, so that the log itself, and with it the writes of regions that have logged already,
 * waits for none. The hooks of new files have a thread of their own, for which the log waits a
 * limited time. Thread-safe.
 */
public final class RunningLogHooks implements LogHooks {
  private static final Logger LOG = LoggerFactory.getLogger(RunningLogHooks.class);

  /** How long a log waits for the hooks before a new file. */
  private static final long ROLL_MILLIS = 5_000;

  private static final long THREAD_IDLE_SECONDS = 10;

  private final HookedLog host;
  private final StoragePaths paths;

  /** Held from before the first hook of an entry to after the last. */
  private final Lock order = new ReentrantLock();

  private final ThreadPoolExecutor rolls =
      new ThreadPoolExecutor(
          1,
          1,
          THREAD_IDLE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          work -> {
            Thread thread = new Thread(work, "coprocessors of logs");
            thread.setDaemon(true);
            return thread;
          });

  private RunningLogHooks(HookedLog host, StoragePaths paths) {
    this.host = host;
    this.paths = paths;
    rolls.allowCoreThreadTimeOut(true);
  }

  /**
   * Loads and starts the coprocessors.
   *
   * @param complete whether all must run; otherwise one that cannot is left out
   * @throws HookFailedException if one that must run does not; then none does
   */
  public static RunningLogHooks start(
      RegionHost server,
      ServerEnvironment environment,
      CoprocessorLoader loader,
      List<CoprocessorClass> classes,
      boolean complete)
      throws HookFailedException {
    SitePlan plan = new SitePlan(environment.settings(), loader, ClassRules.LOG, classes, complete);
    return new RunningLogHooks(
        HookedLog.start(plan),
        new StoragePaths(server.storage(), server.dataDirectory(), environment::reading));
  }

  @Override
  public Optional<WalHook> of(RegionInfo region, TableSchema schema) {
    return host.has("preWALWrite") || host.has("postWALWrite")
        ? Optional.of(new Entries(region, schema))
        : Optional.empty();
  }

  /** Calls the hooks for the entries of one region. */
  private final class Entries implements WalHook {
    private final RegionInfo region;
    private final TableSchema schema;
    private final org.apache.hadoop.hbase.client.RegionInfo shown;

    Entries(RegionInfo region, TableSchema schema) {
      this.region = region;
      this.schema = schema;
      this.shown = ProtobufUtil.toRegionInfo(Messages.message(region));
    }

    @Override
    public long append(WalEntry entry, Queue log) throws IOException {
      WALKeyImpl key = LogEdits.key(entry);
      WALEdit edit = LogEdits.edit(entry.cells());
      order.lock();
      try {
        long txid = log.append(changed(entry, key, edit));
        after(key, edit);
        return txid;
      } finally {
        order.unlock();
      }
    }

    private WalEntry changed(WalEntry entry, WALKeyImpl key, WALEdit edit) throws IOException {
      if (!host.has("preWALWrite")) {
        return entry;
      }
      List<Cell> before = List.copyOf(edit.getCells());
      host.preWALWrite(shown, key, edit);
      CellBuffer cells =
          LogEdits.isSame(before, edit.getCells())
              ? entry.cells()
              : LogEdits.checked(region, schema, edit.getCells());
      WalAttributes attributes = LogEdits.attributes(key);
      return cells == entry.cells() && attributes.equals(entry.attributes())
          ? entry
          : entry.with(cells, attributes);
    }

    /** The entry is logged, whatever the hook does. */
    private void after(WALKeyImpl key, WALEdit edit) {
      if (host.has("postWALWrite")) {
        try {
          host.postWALWrite(shown, key, edit);
        } catch (IOException | RuntimeException e) {
          LOG.warn("A coprocessor failed in postWALWrite, whose result does not count", e);
        }
      }
    }
  }

  @Override
  public void rolling(String path, String next) throws IOException {
    if (!host.has("preWALRoll")) {
      return;
    }
    FutureTask<Void> call =
        new FutureTask<>(
            () -> {
              host.preWALRoll(paths.of(path), paths.of(next));
              return null;
            });
    try {
      rolls.execute(call);
      call.get(ROLL_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | RejectedExecutionException e) {
      LOG.warn("The log begins the file {} without waiting for the hook preWALRoll", next);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void rolled(String path, String next) {
    if (host.has("postWALRoll")) {
      try {
        rolls.execute(() -> tellOfRoll(path, next));
      } catch (RejectedExecutionException e) {
        LOG.debug("The coprocessors of logs have stopped before the file {}", next, e);
      }
    }
  }

  private void tellOfRoll(String path, String next) {
    try {
      host.postWALRoll(paths.of(path), paths.of(next));
    } catch (IOException | RuntimeException e) {
      LOG.warn("A coprocessor failed in postWALRoll, whose result does not count", e);
    }
  }

  @Override
  public void close() {
    rolls.shutdown();
    host.stopAll();
  }
}
