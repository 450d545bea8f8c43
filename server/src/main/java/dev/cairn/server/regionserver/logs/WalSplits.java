package dev.cairn.server.regionserver.logs;

import dev.cairn.engine.storage.FencingToken;
import dev.cairn.engine.wal.split.FlushedEdits;
import dev.cairn.engine.wal.split.SealProgress;
import dev.cairn.engine.wal.split.SplitProgress.LogKind;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.regionserver.membership.MasterLink;
import dev.cairn.server.regionserver.membership.ProcedureReporter;
import dev.cairn.server.regionserver.membership.ServerState;
import dev.cairn.server.walsplit.PartProgress;
import dev.cairn.server.walsplit.SplitOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Splits parts of dead servers' logs as masters order. Orders with one scratch directory are
 * carried out together, in one reading of the log. Each is reported as soon as its part is
 * complete. Thread-safe.
 */
public final class WalSplits {

  /** Splits parts of dead servers' logs. Thread-safe. */
  @FunctionalInterface
  public interface WalSplitter {
    /**
     * Gives the regions of some parts of a log their entries. Waits for the storage. Publishes
     * nothing once {@code scratch} is removed or renamed.
     *
     * @param directory the log's directory, which a master has taken over
     * @param flushed tells which entries are in store files and are left out
     * @param parts the parts; notified when each is complete
     * @param scratch the directory for unfinished files
     * @throws IOException also if a file is damaged; the master then decides about the file
     */
    void split(
        String directory, LogKind kind, PartProgress parts, FlushedEdits flushed, String scratch)
        throws IOException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(WalSplits.class);

  /** The number of orders to remember, so that one that arrives twice is carried out once. */
  private static final int KNOWN_MAX = 10_000;

  private final ServerState state;
  private final WalSplitter splitter;
  private final MasterLink master;
  private final ProcedureReporter reporter;
  private final Executor executor;

  /** The latest orders, the oldest first. Guarded by itself. */
  private final Map<FencingToken, SplitOrder> known = new LinkedHashMap<>();

  /**
   * Creates it.
   *
   * @param master knows which entries are in store files
   * @param executor its number of threads limits the number of logs that are split at a time
   */
  public WalSplits(
      ServerState state,
      WalSplitter splitter,
      MasterLink master,
      ProcedureReporter reporter,
      Executor executor) {
    this.state = state;
    this.splitter = splitter;
    this.master = master;
    this.reporter = reporter;
    this.executor = executor;
  }

  /** Throws if an order must not be carried out here. */
  public void check(SplitOrder order) throws IOException {
    if (order.dead().equals(state.serverName())) {
      throw new DoNotRetryIOException(
          "The log of " + order.dead() + " is that of this server, which lives");
    }
    if (state.isGoingDown()) {
      throw new IOException("Server " + state.serverName() + " is going down");
    }
  }

  /** Begins to carry out orders, except those that have come before. Returns at once. */
  public void begin(List<SplitOrder> orders) {
    Map<String, List<SplitOrder>> jobs = new LinkedHashMap<>();
    synchronized (known) {
      for (SplitOrder order : orders) {
        if (known.putIfAbsent(order.token(), order) == null) {
          jobs.computeIfAbsent(scratch(order) + order.part().kind(), job -> new ArrayList<>())
              .add(order);
        }
      }
      while (known.size() > KNOWN_MAX) {
        known.remove(known.keySet().iterator().next());
      }
    }
    jobs.values().forEach(job -> executor.execute(() -> run(job)));
  }

  private static String scratch(SplitOrder order) {
    return TableFiles.lent(order.scratch());
  }

  private void run(List<SplitOrder> job) {
    SplitOrder first = job.get(0);
    LogKind kind = first.part().kind();
    Map<Integer, SplitOrder> open = new TreeMap<>(); // guarded by itself
    job.forEach(order -> open.put(order.part().index(), order));
    PartProgress parts =
        new PartProgress(
            kind, List.copyOf(open.keySet()), SealProgress.NONE, part -> reportDone(open, part));
    try {
      splitter.split(first.directory(), kind, parts, flushed(kind), scratch(first));
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.warn("Cannot split {}: {}", first.directory(), e.toString());
      Collection<SplitOrder> left;
      synchronized (open) {
        left = List.copyOf(open.values());
        open.clear();
      }
      left.forEach(order -> reporter.report(order, Optional.of(e.toString())));
    }
  }

  /**
   * Does not ask for the log of {@code hbase:meta}: the master may need {@code hbase:meta} to
   * answer.
   */
  private FlushedEdits flushed(LogKind kind) {
    return kind == LogKind.META ? FlushedEdits.NONE : new FlushedByMaster(master);
  }

  private void reportDone(Map<Integer, SplitOrder> open, int part) {
    SplitOrder done;
    synchronized (open) {
      done = open.remove(part);
    }
    if (done != null) {
      reporter.report(done, Optional.empty());
    }
  }
}
