package dev.cairn.server.master.members;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.LogWait;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.loop.MasterLoop.Work;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds region servers whose logs write nothing while those of other servers work, such as a server
 * that is cut off from HDFS. Region servers report for how long their logs have waited ({@link
 * LogWait}). A server is given up if all of this is true:
 *
 * <ul>
 *   <li>Its last report, a moment ago, says that a log has waited for longer than the limit.
 *   <li>Its reports have said for half of the limit, by this master's clock, that a log waits. A
 *       server that wakes from a long pause may report a long wait once, although its log works.
 *   <li>At least as many servers have working logs as have waiting ones. If HDFS is down, all logs
 *       wait, and none is given up.
 *   <li>This master has reached HDFS itself a moment ago: it has created a file, and its own log
 *       has taken an entry. So an idle cluster without HDFS is not taken for one whose logs work,
 *       and the recovery can begin. Creating a file fails while the NameNode is in safe mode, as a
 *       recovery would; writing to an open file does not.
 *   <li>No other server was given up for this reason within {@link #PAUSE}, and the log of the last
 *       one is recovered. So a wrong limit, or a slow HDFS, does not move all regions at once.
 * </ul>
 *
 * <p>Once the reports have said for half of the limit that a log waits, the master seals all files
 * of the server's logs, which takes seconds on HDFS. A file that still works is sealed, too. If the
 * server is not given up, its next write to such a file fails, and it goes on in a new file; no
 * acknowledged write is lost. Owned by the loop.
 */
final class StuckLogs {
  private static final Logger LOG = LoggerFactory.getLogger(StuckLogs.class);

  /** The minimum time between two servers that are given up. */
  static final Duration PAUSE = Duration.ofSeconds(30);

  /** A report, or a proof that HDFS works, counts for so long. */
  private static final Duration FRESH = Duration.ofSeconds(3);

  /** The time between two checks of HDFS on account of servers with waiting logs. */
  private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

  private static final Lane CHECK = new Lane("check of HDFS", 1);

  /** The operations on servers that this class needs. */
  interface Members {
    /** Tells whether the log of a server that was given up is not recovered yet. */
    boolean isRecovering(ServerName server);

    /** Writes an entry to the log of this master's store; it changes nothing. */
    void writeStore(ServerName server, Completion completion);

    /**
     * Seals the present files of a server's logs, which a recovery will need.
     *
     * @param waits tells any thread whether a log of the server still waits
     */
    void sealEarly(ServerName server, BooleanSupplier waits);

    /** Gives up a server whose log is stuck. The server runs, and answers calls. */
    void stuck(ServerName server, Duration wait);
  }

  private final MasterLoop loop;
  private final Clock clock;
  private final MemberSettings settings;
  private final Work checkHdfs;
  private final Members members;

  /** The last reports of the live servers. */
  private final Map<ServerName, Report> reports = new TreeMap<>();

  /**
   * Servers that keep their regions although their logs have reached the limit; logged once each.
   */
  private final Set<ServerName> kept = new HashSet<>();

  /** Servers whose log files are sealed, or being sealed, since their logs wait. Thread-safe. */
  private final Set<ServerName> sealed = ConcurrentHashMap.newKeySet();

  private boolean isChecking;
  private Optional<Long> checkedNanos = Optional.empty();

  /** The start of the last successful check of HDFS. */
  private Optional<Long> provenNanos = Optional.empty();

  private Optional<ServerName> last = Optional.empty();
  private long lastNanos;

  /**
   * A report.
   *
   * @param nanos when it came
   * @param sinceNanos when the first of the consecutive reports of a wait came
   */
  private record Report(long nanos, long sinceNanos, Duration waited) {
    boolean isWaiting() {
      return waited.compareTo(LogWait.NOTABLE) >= 0;
    }

    /** Returns the time from the first of the consecutive reports of a wait to this one. */
    Duration told() {
      return Duration.ofNanos(nanos - sinceNanos);
    }
  }

  /**
   * Creates it.
   *
   * @param checkHdfs fails if HDFS does not take what a recovery needs
   */
  StuckLogs(
      MasterLoop loop, Clock clock, MemberSettings settings, Work checkHdfs, Members members) {
    this.loop = loop;
    this.clock = clock;
    this.settings = settings;
    this.checkHdfs = checkHdfs;
    this.members = members;
  }

  /** Takes a live server's report. */
  void reported(ServerName server, Duration wait) {
    long now = clock.nanoTime();
    long since =
        Optional.ofNullable(reports.get(server))
            .filter(before -> before.isWaiting() && isWithin(before.nanos(), FRESH))
            .map(Report::sinceNanos)
            .orElse(now);
    Report report = new Report(now, since, wait);
    reports.put(server, report);
    if (!report.isWaiting()) {
      kept.remove(server);
      sealed.remove(server);
    } else if (!settings.logWaitMax().isZero()) {
      check(server);
      consider(server, report);
    }
  }

  /** Forgets a server that is not alive any more. */
  void forget(ServerName server) {
    reports.remove(server);
    kept.remove(server);
    sealed.remove(server);
  }

  /** Checks HDFS, so that the result is there when it is needed. */
  private void check(ServerName server) {
    long now = clock.nanoTime();
    if (isChecking || checkedNanos.filter(then -> isWithin(then, CHECK_INTERVAL)).isPresent()) {
      return;
    }
    isChecking = true;
    checkedNanos = Optional.of(now);
    Consumer<IOException> failed =
        cause -> {
          isChecking = false;
          LOG.info("This master cannot write to HDFS: {}", cause.toString());
        };
    loop.perform(
        CHECK,
        checkHdfs,
        Completion.of(
            () -> {
              if (!reports.containsKey(server)) {
                isChecking = false;
                return;
              }
              members.writeStore(
                  server,
                  Completion.of(
                      () -> {
                        isChecking = false;
                        provenNanos = Optional.of(now);
                        reports.forEach(this::considerLater);
                      },
                      failed));
            },
            failed));
  }

  private void considerLater(ServerName server, Report report) {
    if (report.isWaiting()) {
      loop.post(
          () -> {
            if (reports.get(server) == report) {
              consider(server, report);
            }
          });
    }
  }

  private void consider(ServerName server, Report report) {
    Duration limit = settings.logWaitMax();
    Duration half = limit.dividedBy(2);
    if (report.waited().compareTo(half) < 0
        || report.told().compareTo(half) < 0
        || !isWithin(report.nanos(), FRESH)) {
      return;
    }
    Optional<String> reason = reasonToKeep();
    if (reason.isEmpty() && sealed.add(server)) {
      members.sealEarly(server, () -> sealed.contains(server));
    }
    if (report.waited().compareTo(limit) < 0) {
      return;
    }
    if (reason.isEmpty()) {
      last = Optional.of(server);
      lastNanos = clock.nanoTime();
      forget(server);
      members.stuck(server, report.waited());
    } else if (kept.add(server)) {
      LOG.warn(
          "A log of {} has written nothing for {} s. The server keeps its regions: {}",
          server,
          report.waited().toSeconds(),
          reason.get());
    }
  }

  /** Returns why no server may be given up now; empty if one may. */
  private Optional<String> reasonToKeep() {
    long waiting = count(Report::isWaiting);
    long working = count(report -> !report.isWaiting());
    if (working < waiting) {
      return Optional.of(
          "the logs of " + waiting + " servers wait, and those of " + working + " work");
    }
    if (provenNanos.filter(then -> isWithin(then, FRESH)).isEmpty()) {
      return Optional.of("this master has not written to HDFS lately");
    }
    if (last.filter(members::isRecovering).isPresent()) {
      return Optional.of("the log of " + last.get() + " is not recovered yet");
    }
    if (last.isPresent() && isWithin(lastNanos, PAUSE)) {
      return Optional.of(last.get() + " was given up less than " + PAUSE.toSeconds() + " s ago");
    }
    return Optional.empty();
  }

  /** Counts the servers that have reported lately. */
  private long count(Predicate<Report> what) {
    Duration recent = settings.reportInterval().plus(FRESH);
    return reports.values().stream()
        .filter(report -> isWithin(report.nanos(), recent))
        .filter(what)
        .count();
  }

  private boolean isWithin(long nanos, Duration time) {
    return clock.nanoTime() - nanos <= time.toNanos();
  }
}
