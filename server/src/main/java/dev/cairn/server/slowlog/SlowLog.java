package dev.cairn.server.slowlog;

import dev.cairn.server.slowlog.SlowLogSettings.Limits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.SlowLogResponseRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.TooSlowLog.SlowLogPayload;
import org.apache.hadoop.hbase.shaded.protobuf.generated.TooSlowLog.SlowLogPayload.Type;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the slow and large calls of one server: as warnings in the log, and in memory if enabled.
 * The calls in memory take at most {@value #KEPT_BYTES_MAX} bytes; the oldest are dropped first.
 * Other calls cost only the two comparisons of {@link #isNotable}. As in HBase, calls that fail are
 * not recorded. Thread-safe.
 */
public final class SlowLog {

  /**
   * A slow or large call that is kept in memory.
   *
   * @param payload the call as clients get it
   * @param phases the parts of its processing
   */
  public record KeptCall(SlowLogPayload payload, CallPhases phases) {}

  private static final Logger LOG = LoggerFactory.getLogger(SlowLog.class);

  /** The maximum bytes of calls that wait to be recorded. */
  private static final long PENDING_BYTES_MAX = 4 << 20;

  /** The maximum bytes of calls kept in memory. */
  static final long KEPT_BYTES_MAX = 16 << 20;

  /** The bytes of a kept call without its message or description. */
  private static final long CALL_BYTES = 500;

  /** The method that has its own limits. */
  static final String SCAN = "Scan";

  private final String serverClass;
  private final Supplier<SlowLogSettings> settings;
  private final Executor executor;
  private final AtomicLong pendingBytes = new AtomicLong();
  private final LongAdder skipped = new LongAdder();
  private final Deque<KeptCall> kept = new ArrayDeque<>(); // oldest first; its own guard
  private long keptBytes; // guarded by kept

  /**
   * Creates an empty slow log.
   *
   * @param serverClass the kind of server in HBase's words: {@code HRegionServer} or {@code
   *     HMaster}
   * @param settings the present limits
   * @param executor describes calls and writes to the log, which may block
   */
  public SlowLog(String serverClass, Supplier<SlowLogSettings> settings, Executor executor) {
    this.serverClass = serverClass;
    this.settings = settings;
    this.executor = executor;
  }

  /** Returns a slow log that records no calls. */
  public static SlowLog off() {
    return new SlowLog("", () -> SlowLogSettings.OFF, Runnable::run);
  }

  /** Tells whether a call may have to be recorded ({@link #record}). */
  public boolean isNotable(long processingNanos, long responseBytes) {
    Limits least = settings.get().least();
    return least.isSlow(processingNanos) || least.isLarge(responseBytes);
  }

  /**
   * Schedules a call to be recorded if it exceeds the limits of its method. Does not block. Skips
   * the call if too many calls wait to be recorded, and logs the number of skipped calls.
   */
  public void record(FinishedCall call) {
    long bytes = CALL_BYTES + call.message().map(message -> message.length).orElse(0);
    if (pendingBytes.addAndGet(bytes) > PENDING_BYTES_MAX) {
      pendingBytes.addAndGet(-bytes);
      skipped.increment();
      return;
    }
    try {
      executor.execute(
          () -> {
            try {
              recordNow(call);
            } finally {
              pendingBytes.addAndGet(-bytes);
            }
          });
    } catch (RejectedExecutionException e) { // the server ends
      pendingBytes.addAndGet(-bytes);
    }
  }

  private void recordNow(FinishedCall call) {
    long missing = skipped.sumThenReset();
    if (missing > 0) {
      LOG.warn("{} slow or large calls were not recorded: too many at once", missing);
    }
    SlowLogSettings now = settings.get();
    Limits limits = call.method().equals(SCAN) ? now.scans() : now.usual();
    boolean slow = limits.isSlow(call.processingNanos());
    boolean large = limits.isLarge(call.responseBytes());
    if (!slow && !large) {
      return;
    }
    CallDescription description = CallDescription.of(call);
    LOG.warn("{}", SlowLogLine.of(call, description, serverClass, slow, large));
    if (now.kept() > 0) {
      Type type = slow ? large ? Type.ALL : Type.SLOW_LOG : Type.LARGE_LOG;
      keep(new KeptCall(payload(call, description, type, now.keepsScans()), CallPhases.of(call)));
    }
  }

  private void keep(KeptCall call) {
    synchronized (kept) {
      kept.addLast(call);
      keptBytes += bytes(call);
      trim();
    }
  }

  /**
   * Forgets the kept calls that the settings no longer allow, the oldest first; all, if they say
   * that none are kept. Call this when the settings have changed.
   */
  public void trim() {
    synchronized (kept) {
      int most = settings.get().kept();
      while (kept.size() > most || keptBytes > KEPT_BYTES_MAX) {
        keptBytes -= bytes(kept.removeFirst());
      }
    }
  }

  private static long bytes(KeptCall call) {
    return CALL_BYTES + call.payload().getSerializedSize();
  }

  private SlowLogPayload payload(
      FinishedCall call, CallDescription description, Type type, boolean withScan) {
    SlowLogPayload.Builder payload =
        SlowLogPayload.newBuilder()
            .setStartTime(call.startMillis())
            .setProcessingTime((int) Math.min(Integer.MAX_VALUE, SlowLogLine.millis(call)))
            .setQueueTime((int) Math.min(Integer.MAX_VALUE, call.queueMillis()))
            .setResponseSize(call.responseBytes())
            .setFsReadTime(SlowLogLine.readMillis(call))
            .setClientAddress(call.client())
            .setServerClass(serverClass)
            .setMethodName(call.method())
            .setCallDetails(description.call())
            .setParam(description.kept())
            .setUserName(call.user())
            .setRegionName(description.regionName())
            .setMultiGets(0)
            .setMultiMutations(0)
            .setMultiServiceCalls(0)
            .setType(type);
    description
        .actions()
        .ifPresent(
            actions ->
                payload
                    .setMultiGets(actions.gets())
                    .setMultiMutations(actions.mutations())
                    .setMultiServiceCalls(actions.serviceCalls()));
    if (withScan) {
      description.scan().ifPresent(payload::setScan);
    }
    return payload.build();
  }

  /** Returns the kept calls that a client requests, the latest first. */
  public List<SlowLogPayload> find(SlowLogResponseRequest request) {
    return SlowLogFilter.of(request).apply(kept().stream().map(KeptCall::payload).toList());
  }

  /** Returns all kept calls, the latest first. */
  public List<KeptCall> kept() {
    List<KeptCall> latestFirst = new ArrayList<>();
    synchronized (kept) {
      kept.descendingIterator().forEachRemaining(latestFirst::add);
    }
    return latestFirst;
  }

  /** Tells whether calls are kept in memory. */
  public boolean keeps() {
    return settings.get().kept() > 0;
  }

  /** Removes the kept calls; returns false if calls are not kept. */
  public boolean clear() {
    synchronized (kept) {
      kept.clear();
      keptBytes = 0;
    }
    return settings.get().kept() > 0;
  }
}
