package dev.cairn.server.rpc;

import dev.cairn.engine.time.PhaseTimes;
import dev.cairn.server.metrics.Histogram;
import dev.cairn.server.rpc.service.MethodPolicy;
import dev.cairn.server.slowlog.FinishedCall;
import dev.cairn.server.slowlog.SlowLog;
import dev.cairn.server.tracing.CallTrace;
import dev.cairn.server.tracing.CallTrace.CallMoments;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * Records one call. Its times go into the metrics, and into its trace if it has one. A slow call,
 * or one with a large response, also goes into the log of slow calls. Parameters named {@code
 * nanos} are times of {@link dev.cairn.engine.time.Clock#nanoTime}. One thread at a time, as {@link
 * ServerCall}.
 */
final class CallRecord {
  /** The longest message that is kept until the call's end. */
  private static final int KEPT_MESSAGE_BYTES_MAX = 256 << 10;

  private final CallConnection connection;
  private final ConnectionInfo info;
  private final MethodPolicy method;
  private final int requestBytes;
  private final long receivedNanos;
  private final CallTrace trace;
  private byte[] message; // null until parsed, and if it is too long to be kept
  private ByteString region; // null unless the method has set it
  private Histogram times; // null unless the method has set it
  private PhaseTimes phases; // null until the call waits, or reads blocks
  private long startedNanos; // when the work began, plus the wait between its parts
  private long passedOnNanos; // when the network thread left a continuation
  private boolean isDeferred; // whether phases still lack the wait for the log
  private long deferredNanos; // when that wait began
  private boolean isMeasured; // whether the call's times are recorded

  /**
   * Creates the record of a call that starts as soon as it is received.
   *
   * @param trace receives the call's times if it is traced
   */
  CallRecord(
      CallConnection connection,
      ConnectionInfo info,
      MethodPolicy method,
      int requestBytes,
      long receivedNanos,
      CallTrace trace) {
    this.connection = connection;
    this.info = info;
    this.method = method;
    this.requestBytes = requestBytes;
    this.receivedNanos = receivedNanos;
    this.startedNanos = receivedNanos;
    this.trace = trace;
  }

  /** The call's work begins, after a wait in a queue. */
  void started(long nanos) {
    startedNanos = nanos;
  }

  /** The network thread leaves the rest of the call to a handler. */
  void passedOn(long nanos) {
    passedOnNanos = nanos;
  }

  /** A handler continues the call. The wait since {@link #passedOn} counts as time in the queue. */
  void continued(long nanos) {
    startedNanos += nanos - passedOnNanos;
  }

  /** The call begins again: drops its phases. */
  void beginsAgain() {
    phases = null;
  }

  /** The call waits for the log from now until its answer. */
  void deferred(long nanos) {
    isDeferred = true;
    deferredNanos = nanos;
  }

  /** Keeps the request's message, unless it is too long. */
  void keep(byte[] parsed) {
    message = parsed.length <= KEPT_MESSAGE_BYTES_MAX ? parsed : null;
  }

  /** The call concerns this region. */
  void concerns(ByteString regionName) {
    region = regionName;
  }

  /** The time of the call's work goes into {@code histogram}, too. */
  void timedBy(Histogram histogram) {
    times = histogram;
  }

  /** Returns where the phases of the call are recorded. */
  PhaseTimes phases() {
    if (phases == null) {
      phases = new PhaseTimes();
    }
    return phases;
  }

  /** As {@link #answered}, by the network thread. */
  void answeredInline(long nanos, long responseBytes) {
    answered(nanos, responseBytes, connection.ownTimers());
  }

  /**
   * Records an answered call: its times, and the call itself if it is slow or its response large.
   */
  void answered(long nanos, long responseBytes) {
    answered(nanos, responseBytes, connection.timers());
  }

  private void answered(long nanos, long responseBytes, CallTimers timers) {
    measure(nanos, responseBytes, timers);
    SlowLog log = connection.slowLog();
    if (log.isNotable(nanos - startedNanos, responseBytes)) {
      log.record(description(nanos, responseBytes));
    }
    if (trace.isOn()) {
      endTrace(nanos, responseBytes, Optional.empty());
    }
  }

  /** Records a failed call. May follow {@link #answered} if the response could not be encoded. */
  void failed(long nanos, IOException failure) {
    measure(nanos, 0, connection.timers());
    if (trace.isOn()) {
      endTrace(nanos, 0, Optional.of(failure));
    }
  }

  private void measure(long now, long responseBytes, CallTimers timers) {
    if (isMeasured) {
      return; // answered() has recorded the times, but the response could not be encoded
    }
    isMeasured = true;
    timers.finished(
        method, startedNanos - receivedNanos, now - startedNanos, requestBytes, responseBytes);
    if (times != null) {
      times.record(now - startedNanos);
    }
  }

  private void endTrace(long now, long responseBytes, Optional<IOException> failure) {
    trace.ended(
        description(now, responseBytes),
        new CallMoments(receivedNanos, startedNanos, now, connection.clock().currentTimeMillis()),
        failure);
  }

  private FinishedCall description(long now, long responseBytes) {
    if (isDeferred) {
      isDeferred = false;
      phases().record(PhaseTimes.Phase.LOG, deferredNanos, now);
    }
    long nanos = now - startedNanos;
    InetSocketAddress client = connection.remoteAddress();
    return new FinishedCall(
        method.service(),
        method.name(),
        Optional.ofNullable(message),
        Optional.ofNullable(region),
        info.user(),
        client.getAddress().getHostAddress() + ":" + client.getPort(),
        connection.clock().currentTimeMillis() - TimeUnit.NANOSECONDS.toMillis(nanos),
        TimeUnit.NANOSECONDS.toMillis(startedNanos - receivedNanos),
        nanos,
        responseBytes,
        phases());
  }
}
