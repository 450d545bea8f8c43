package dev.cairn.server.process;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.StartedAgain;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.rpc.client.RpcCaller;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRSFatalErrorResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the active master, for its report, that servers of this process have restarted themselves.
 * One thread at a time may call {@link #tell}, or {@link #start} calls it; any thread may call
 * {@link #untold()}.
 */
final class RestartReport {
  private static final Logger LOG = LoggerFactory.getLogger(RestartReport.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** The pause between attempts to tell the master. */
  private static final long PAUSE_SECONDS = 1;

  /**
   * The servers that ran before a process restarted.
   *
   * @param reason why they ended
   * @param untold earlier restarts not yet reported to a master
   */
  record EarlierLife(
      Map<ServerRole, ServerName> servers, String reason, List<StartedAgain> untold) {
    /** Returns the untold restarts; the last ones led to {@code now}. */
    List<StartedAgain> restarts(Map<ServerRole, ServerName> now) {
      List<StartedAgain> restarts = new ArrayList<>(untold);
      now.forEach((role, name) -> restarts.add(new StartedAgain(servers.get(role), name, reason)));
      return restarts;
    }
  }

  private final RpcCaller calls;
  private final Supplier<Optional<ServerName>> activeMaster;

  private final Deque<StartedAgain> untold;

  /**
   * Creates it; nothing is reported yet.
   *
   * @param activeMaster returns the active master, which may be in this process
   */
  RestartReport(
      RpcCaller calls,
      Supplier<Optional<ServerName>> activeMaster,
      Collection<StartedAgain> restarts) {
    this.calls = calls;
    this.activeMaster = activeMaster;
    this.untold = new ConcurrentLinkedDeque<>(restarts);
  }

  /** Returns the restarts not yet reported to a master, the oldest first. */
  List<StartedAgain> untold() {
    return List.copyOf(untold);
  }

  /**
   * Tells the active master in the background. Repeats this until a master has answered, or the
   * process ends.
   */
  void start(ServerThreads threads, BooleanSupplier isEnding) {
    tellLater(threads, isEnding, 0);
  }

  private void tellLater(ServerThreads threads, BooleanSupplier isEnding, long delaySeconds) {
    Runnable telling =
        () -> {
          if (!tell() && !isEnding.getAsBoolean()) {
            tellLater(threads, isEnding, PAUSE_SECONDS);
          }
        };
    threads
        .timer()
        .schedule(() -> threads.background().execute(telling), delaySeconds, TimeUnit.SECONDS);
  }

  /**
   * Tells the active master of all untold restarts, if it answers. Blocks. Returns whether none is
   * untold now.
   */
  boolean tell() {
    try {
      Optional<ServerName> master = activeMaster.get();
      while (master.isPresent() && !untold.isEmpty()) {
        calls.call(
            master.get().address(),
            "RegionServerStatusService",
            "ReportRSFatalError",
            untold.getFirst().message(),
            ReportRSFatalErrorResponse.getDefaultInstance(),
            TIMEOUT);
        untold.removeFirst();
      }
      return untold.isEmpty();
    } catch (IOException e) {
      LOG.debug(
          "The restart of this process could not be reported to a master yet: {}", e.toString());
      return false;
    }
  }
}
