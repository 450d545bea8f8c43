package dev.cairn.coprocessor.server;

import dev.cairn.coprocessor.environment.ServerEnvironment;
import dev.cairn.coprocessor.facade.StoragePaths;
import dev.cairn.coprocessor.load.ClassRules;
import dev.cairn.coprocessor.load.CoprocessorLoader;
import dev.cairn.coprocessor.load.SitePlan;
import dev.cairn.coprocessor.log.LogEdits;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalHook;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.hook.CoprocessorClass;
import dev.cairn.server.hook.HookFailedException;
import dev.cairn.server.hook.LogHooks;
import dev.cairn.server.hook.RegionHost;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The coprocessors of a region server's logs while it runs. HBase calls the hooks of entries on the
 * one thread of the log. Here the threads of writes call them, one at a time for each log and in
 * its order. So the log itself, and writes that are already in it, do not wait for hooks. The hooks
 * of new files have their own thread; the log waits a limited time for them. Thread-safe.
 */
public final class RunningLogHooks implements LogHooks {
  private static final Logger LOG = LoggerFactory.getLogger(RunningLogHooks.class);

  /** How long a log waits for the hooks before a new file. */
  private static final long ROLL_MILLIS = 5_000;

  private final HookedLog host;
  private final StoragePaths paths;
  private final boolean compressed;
  private final RollCalls rolls = new RollCalls(ROLL_MILLIS);

  /** The lock of each log, held around the hooks of an entry. */
  private final Map<Wal, Lock> orders = new ConcurrentHashMap<>();

  private RunningLogHooks(HookedLog host, StoragePaths paths, boolean compressed) {
    this.host = host;
    this.paths = paths;
    this.compressed = compressed;
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
        HookedLog.start(plan, environment.endings()),
        new StoragePaths(server.storage(), server.dataDirectory(), environment::reading),
        environment.compressesLogs());
  }

  @Override
  public Optional<WalHook> of(RegionInfo region, TableSchema schema, Wal log) {
    return host.has("preWALWrite") || host.has("postWALWrite")
        ? Optional.of(
            new Entries(region, schema, orders.computeIfAbsent(log, one -> new ReentrantLock())))
        : Optional.empty();
  }

  /** Calls the hooks for the entries of one region. */
  private final class Entries implements WalHook {
    private final RegionInfo region;
    private final TableSchema schema;
    private final Lock order;
    private final org.apache.hadoop.hbase.client.RegionInfo shown;

    Entries(RegionInfo region, TableSchema schema, Lock order) {
      this.region = region;
      this.schema = schema;
      this.order = order;
      this.shown = ProtobufUtil.toRegionInfo(Messages.message(region));
    }

    @Override
    public long append(WalEntry entry, Queue log) throws IOException {
      if (entry.cells().isEmpty()) {
        return log.append(entry); // it has a nonce alone, and nothing to show
      }
      WALKeyImpl key = LogEdits.key(entry);
      WALEdit edit = LogEdits.copy(entry.cells());
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
      boolean markers = LogEdits.hasOnlyMarkers(edit);
      try {
        host.preWALWrite(shown, key, edit);
        return entry.with(
            LogEdits.checked(region, schema, edit.getCells()),
            LogEdits.attributes(key, compressed));
      } catch (IOException e) {
        if (!markers) {
          throw e;
        }
        // It tells of what has been done: a refusal would leave the half of it.
        LOG.error("A marker of {} is logged, although a coprocessor refuses it", region, e);
        return entry;
      }
    }

    /** The entry is logged, whatever the hook does. */
    private void after(WALKeyImpl key, WALEdit edit) {
      if (host.has("postWALWrite")) {
        try {
          host.postWALWrite(shown, key, edit);
        } catch (IOException | RuntimeException e) {
          LOG.warn("A coprocessor failed in postWALWrite; its result is ignored", e);
        }
      }
    }
  }

  @Override
  public void rolling(String path, String next) throws IOException {
    if (host.has("preWALRoll")) {
      rolls.before(next, () -> host.preWALRoll(paths.of(path), paths.of(next)));
    }
  }

  @Override
  public void rolled(String path, String next) {
    if (host.has("postWALRoll")) {
      rolls.after(next, () -> host.postWALRoll(paths.of(path), paths.of(next)));
    }
  }

  @Override
  public Set<String> names() {
    return host.getCoprocessors();
  }

  @Override
  public void close() {
    rolls.close();
    host.stopAll();
  }
}
