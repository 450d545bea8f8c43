package dev.cairn.server.process;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.StartedAgain;
import dev.cairn.server.rpc.client.RpcCaller;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRSFatalErrorResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the active master, for its report, that servers of this process have restarted themselves.
 * One thread at a time may call {@link #tell}; any thread may call {@link #untold()}.
 */
final class RestartReport {
  private static final Logger LOG = LoggerFactory.getLogger(RestartReport.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

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
