package dev.cairn.server.master.recovery;

import dev.cairn.engine.storage.FencingToken;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.split.LogSplitter.LeftLog;
import dev.cairn.engine.wal.split.SplitProgress.LogKind;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.remote.OnlineServers;
import dev.cairn.server.master.remote.RegionServerCalls;
import dev.cairn.server.walsplit.LogPart;
import dev.cairn.server.walsplit.PartProgress;
import dev.cairn.server.walsplit.SplitOrder;
import dev.cairn.server.walsplit.WalSplitSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recovers the logs of dead servers with the help of the living ones.
 *
 * <ol>
 *   <li>The master renames the log's directory and begins to seal the files.
 *   <li>It divides the log into {@linkplain LogPart parts}, gives each live region server some of
 *       them, and lends it a scratch directory. {@code hbase:meta}'s log comes first. Each server
 *       reads the log, seals the files, and publishes the edits of its regions.
 *   <li>A reported part is complete, so its regions can be opened.
 *   <li>The master archives the files of each kind once all parts are complete.
 * </ol>
 *
 * <p>If a region server dies, fails, or does not report in time, the master recalls its scratch
 * directory, so that it can publish nothing more. Another server gets the parts that are not
 * reported. The master splits them itself if two servers have failed or no server can take them.
 * Owned by the loop.
 */
public final class LogRecoveries {
  private static final Logger LOG = LoggerFactory.getLogger(LogRecoveries.class);

  /** The most servers that read one log; more would slow each other down. */
  private static final int JOBS_MAX = 8;

  /** The number of failed region servers after which the master does a job itself. */
  private static final int SERVERS_TRIED_MAX = 2;

  /**
   * The time without a report after which another region server gets a job, besides the time for
   * its length. A server on a busy machine may need longer for a job, but reports some parts.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A job may take this many times as long in all, before another region server gets the rest. */
  private static final int PATIENCE_IN_ALL = 4;

  /** Region servers may take longer for a long log. */
  private static final long BYTES_PER_SECOND = 8L << 20;

  private static final Duration RETRY = Duration.ofMillis(500);

  private final MasterLoop loop;
  private final Clock clock;
  private final DeadServerLogs logs;
  private final OnlineServers servers;
  private final RegionServerCalls calls;
  private final long epoch;
  private final LongSupplier orderNumbers;
  private final WalSplitSettings settings;

  private final List<SplitJob> waiting = new ArrayList<>();

  /** The attempts that region servers may be working on, including withdrawn ones. */
  private final List<SplitAttempt> attempts = new ArrayList<>();

  private long lastScratch;

  /**
   * Creates it.
   *
   * @param servers the region servers that may help
   * @param epoch the epoch of the master
   * @param orderNumbers returns the numbers of orders, each once
   */
  public LogRecoveries(
      MasterLoop loop,
      Clock clock,
      DeadServerLogs logs,
      OnlineServers servers,
      RegionServerCalls calls,
      long epoch,
      LongSupplier orderNumbers,
      WalSplitSettings settings) {
    this.loop = loop;
    this.clock = clock;
    this.logs = logs;
    this.servers = servers;
    this.calls = calls;
    this.epoch = epoch;
    this.orderNumbers = orderNumbers;
    this.settings = settings;
  }

  /**
   * Recovers the log of a dead server. If that fails, it can be begun again with the same progress.
   *
   * @param progress receives the regions that can be opened
   */
  public void begin(ServerName dead, RecoveryProgress progress, Completion completion) {
    loop.perform(
        Lane.recovery(dead),
        () -> logs.take(dead),
        found ->
            found.ifPresentOrElse(
                log -> begin(new LogRecovery(dead, log, progress, completion)), completion::done),
        completion::failed);
  }

  private void begin(LogRecovery recovery) {
    LeftLog log = recovery.log();
    recovery.progress().found(log.kinds());
    int workers = workers().size();
    if (workers > 0) {
      seal(recovery);
    }
    for (LogKind kind : log.kinds()) {
      if (log.files(kind).isEmpty()) {
        LogPart.all(kind).forEach(part -> recovery.progress().completed(new LogPart(kind, part)));
      }
      Set<Integer> missing = recovery.progress().missing(kind);
      long jobs = kind == LogKind.META ? 1 : 1 + log.bytes() / settings.jobBytes();
      divide(
          recovery, kind, missing, (int) Math.min(jobs, Math.min(Math.max(1, workers), JOBS_MAX)));
      archiveIfSplit(recovery, kind);
    }
    dispatch();
  }

  /**
   * Seals the files before the region servers do, which may be later. A failure has no effect: they
   * seal the files, too, and may have split them already, so that the files are archived.
   */
  private void seal(LogRecovery recovery) {
    loop.perform(
        Lane.recovery(recovery.dead()),
        () -> logs.seal(recovery.log(), recovery.progress()),
        Completion.of(
            () -> {},
            cause ->
                LOG.info(
                    "{} is not sealed here: {}", recovery.log().directory(), cause.toString())));
  }

  /** Divides the missing parts of a kind among jobs. */
  private void divide(LogRecovery recovery, LogKind kind, Set<Integer> missing, int jobs) {
    for (int i = 0; i < jobs; i++) {
      Set<Integer> parts = new TreeSet<>();
      for (int part : missing) {
        if (part % jobs == i) {
          parts.add(part);
        }
      }
      if (!parts.isEmpty()) {
        recovery.jobBegun(kind);
        await(new SplitJob(recovery, kind, parts));
      }
    }
  }

  private void await(SplitJob job) {
    waiting.add(job.kind() == LogKind.META ? 0 : waiting.size(), job);
  }

  private Set<ServerName> workers() {
    return settings.jobsPerServer() == 0 ? Set.of() : servers.all();
  }

  /**
   * Begins the waiting jobs for which there is a free region server, or no region server at all.
   */
  public void dispatch() {
    for (SplitJob job : List.copyOf(waiting)) {
      List<ServerName> able =
          workers().stream().filter(server -> !job.tried().contains(server)).toList();
      Optional<ServerName> free =
          able.stream()
              .filter(server -> mayTake(server, job))
              .min(Comparator.comparingLong(this::load));
      if (free.isPresent() && job.tried().size() < SERVERS_TRIED_MAX) {
        waiting.remove(job);
        give(job, free.get());
      } else if (job.tried().size() >= SERVERS_TRIED_MAX
          || able.stream().noneMatch(this::isAdvancing)) {
        waiting.remove(job);
        splitHere(job);
      }
    }
  }

  /**
   * Tells whether a region server has room for a job; the log of {@code hbase:meta} never waits.
   */
  private boolean mayTake(ServerName server, SplitJob job) {
    return job.kind() == LogKind.META || load(server) < settings.jobsPerServer();
  }

  private long load(ServerName server) {
    return attempts.stream().filter(attempt -> attempt.worker().equals(server)).count();
  }

  /** Tells whether a region server has a job that it completes or loses within bounded time. */
  private boolean isAdvancing(ServerName server) {
    return attempts.stream()
        .anyMatch(attempt -> attempt.worker().equals(server) && attempt.isCurrent());
  }

  private void give(SplitJob job, ServerName worker) {
    LogRecovery recovery = job.recovery();
    long scratch = lend(recovery);
    List<SplitOrder> orders = new ArrayList<>();
    for (int part : job.parts()) {
      FencingToken token = new FencingToken(epoch, orderNumbers.getAsLong());
      orders.add(
          new SplitOrder(
              recovery.dead(),
              new LogPart(job.kind(), part),
              new FencingToken(epoch, scratch),
              token));
    }
    SplitAttempt attempt =
        new SplitAttempt(job, worker, scratch, clock.currentTimeMillis(), orders);
    attempt.heard(clock.nanoTime());
    attempts.add(attempt);
    LOG.info(
        "{} splits {} parts of the log of {} ({})",
        worker,
        orders.size(),
        recovery.dead(),
        job.kind());
    loop.perform(
        Lane.splits(worker),
        () -> order(attempt, orders),
        Completion.of(
            () -> {},
            cause -> {
              attempts.remove(attempt);
              withdraw(attempt, cause.toString());
              dispatch();
            }));
    Duration patience = PATIENCE.plusSeconds(recovery.log().bytes() / BYTES_PER_SECOND);
    watch(attempt, patience, clock.nanoTime() + PATIENCE_IN_ALL * patience.toNanos());
  }

  /** Withdraws an attempt once its server has reported nothing for a while, or at the end. */
  private void watch(SplitAttempt attempt, Duration patience, long endNanos) {
    if (!attempt.isCurrent()) {
      return;
    }
    long now = clock.nanoTime();
    Duration silence = Duration.ofNanos(now - attempt.heardNanos());
    long left = Math.min(patience.minus(silence).toNanos(), endNanos - now);
    if (left > 0) {
      loop.after(Duration.ofNanos(left), () -> watch(attempt, patience, endNanos));
      return;
    }
    // The server may still be working, so the attempt stays among those of the server.
    withdraw(attempt, "no report within " + silence.toSeconds() + " s");
    dispatch();
  }

  /** Sends the orders. Waits for the storage and the network. */
  private void order(SplitAttempt attempt, List<SplitOrder> orders) throws IOException {
    logs.lend(attempt.scratch());
    if (!attempt.isCurrent()) {
      logs.recall(attempt.scratch()); // The recall may have come before the directory existed.
      throw new IOException("The orders were withdrawn before they were sent");
    }
    calls.split(attempt.worker(), orders);
  }

  private long lend(LogRecovery recovery) {
    long scratch = ++lastScratch;
    recovery.lent().add(scratch);
    return scratch;
  }

  /**
   * A region server reports an order.
   *
   * @param order the epoch of the master that gave the order, and the order's number
   * @param failure why the order could not be carried out; empty if it was
   */
  public void reported(FencingToken order, Optional<String> failure) {
    for (SplitAttempt attempt : List.copyOf(attempts)) {
      for (SplitOrder open : attempt.open()) {
        if (open.token().equals(order)) {
          if (failure.isPresent()) {
            attempts.remove(attempt);
            withdraw(attempt, failure.get());
          } else {
            done(attempt, open);
          }
          dispatch();
          return;
        }
      }
    }
  }

  private void done(SplitAttempt attempt, SplitOrder order) {
    attempt.done(order);
    attempt.heard(clock.nanoTime());
    if (attempt.open().isEmpty()) {
      attempts.remove(attempt);
    }
    if (!attempt.isCurrent()) {
      return;
    }
    SplitJob job = attempt.job();
    job.parts().remove(order.part().index());
    job.recovery().progress().completed(order.part());
    if (job.parts().isEmpty()) {
      attempt.withdraw();
      job.recovery().jobDone(job.kind(), Set.of());
      archiveIfSplit(job.recovery(), job.kind());
    }
  }

  /** A region server is given up; others get its jobs. */
  public void gone(ServerName server) {
    for (SplitAttempt attempt : List.copyOf(attempts)) {
      if (attempt.worker().equals(server)) {
        attempts.remove(attempt);
        withdraw(attempt, "it is gone");
      }
    }
    dispatch();
  }

  /** Withdraws an attempt unless it is complete or withdrawn; its job waits for another server. */
  private void withdraw(SplitAttempt attempt, String reason) {
    if (!attempt.isCurrent()) {
      return;
    }
    attempt.withdraw();
    LOG.info( // another server gets them
        "{} does not split its parts of the log of {}: {}",
        attempt.worker(),
        attempt.job().recovery().dead(),
        reason);
    attempt.job().tried().add(attempt.worker());
    recall(attempt);
  }

  private void recall(SplitAttempt attempt) {
    SplitJob job = attempt.job();
    LogRecovery recovery = job.recovery();
    if (recovery.isEnded()) {
      return;
    }
    loop.perform(
        Lane.recovery(recovery.dead()),
        () -> logs.recall(attempt.scratch()),
        Completion.of(
            () -> {
              recovery.lent().remove(attempt.scratch());
              if (!recovery.isEnded()) {
                await(job);
                dispatch();
              }
            },
            cause -> {
              LOG.warn("The job of {} cannot be recalled yet", attempt.worker(), cause);
              loop.after(RETRY, () -> recall(attempt));
            }));
  }

  /** Splits the parts of a job in this process. */
  private void splitHere(SplitJob job) {
    LogRecovery recovery = job.recovery();
    LogKind kind = job.kind();
    long scratch = lend(recovery);
    PartProgress parts =
        new PartProgress(
            kind,
            job.parts(),
            recovery.progress(),
            part -> recovery.progress().completed(new LogPart(kind, part)));
    loop.perform(
        Lane.recovery(recovery.dead()),
        () -> {
          logs.lend(scratch);
          return logs.split(recovery.log(), kind, parts, scratch);
        },
        damaged -> {
          recovery.jobDone(kind, damaged);
          archiveIfSplit(recovery, kind);
        },
        cause -> fail(recovery, cause));
  }

  private void archiveIfSplit(LogRecovery recovery, LogKind kind) {
    if (recovery.isSplit(kind)) {
      perform(
          recovery,
          () -> logs.archive(recovery.log(), kind, recovery.damaged(kind)),
          () -> {
            if (recovery.archived(kind)) {
              remove(recovery);
            }
          });
    }
  }

  private void remove(LogRecovery recovery) {
    Set<Long> lent = Set.copyOf(recovery.lent());
    perform(
        recovery,
        () -> {
          recall(lent);
          logs.remove(recovery.log());
        },
        () -> {
          LOG.info(
              "The log of {} is recovered: {} files with about {} bytes",
              recovery.dead(),
              recovery.log().files().size(),
              recovery.log().bytes());
          recovery.end();
          recovery.completion().done();
        });
  }

  private void recall(Set<Long> scratches) throws IOException {
    for (long scratch : scratches) {
      logs.recall(scratch);
    }
  }

  /** Performs a step of a recovery that has not ended. If the step fails, the recovery fails. */
  private void perform(LogRecovery recovery, MasterLoop.Work step, Runnable next) {
    if (!recovery.isEnded()) {
      loop.perform(
          Lane.recovery(recovery.dead()),
          step,
          Completion.of(
              () -> {
                if (!recovery.isEnded()) {
                  next.run();
                }
              },
              cause -> fail(recovery, cause)));
    }
  }

  private void fail(LogRecovery recovery, IOException cause) {
    if (recovery.isEnded()) {
      return;
    }
    recovery.end();
    waiting.removeIf(job -> job.recovery() == recovery);
    attempts.stream()
        .filter(attempt -> attempt.job().recovery() == recovery)
        .forEach(SplitAttempt::withdraw);
    Set<Long> lent = Set.copyOf(recovery.lent());
    loop.perform(
        Lane.recovery(recovery.dead()),
        () -> recall(lent),
        Completion.of(
            () -> recovery.completion().failed(cause),
            again -> {
              cause.addSuppressed(again);
              recovery.completion().failed(cause);
            }));
    dispatch(); // Other jobs may have waited for the servers of this recovery.
  }

  /** An unreported order to a region server, shown as a procedure. */
  public record OpenOrder(SplitOrder order, ServerName worker, long sinceMillis) {}

  /** Returns the orders to region servers that count and are not reported. */
  public List<OpenOrder> openOrders() {
    return attempts.stream()
        .filter(SplitAttempt::isCurrent)
        .flatMap(
            attempt ->
                attempt.open().stream()
                    .map(order -> new OpenOrder(order, attempt.worker(), attempt.sinceMillis())))
        .toList();
  }
}
