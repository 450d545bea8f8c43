package dev.cairn.server.tracing;

import dev.cairn.server.slowlog.FinishedCall;
import dev.cairn.server.tracing.CallTrace.CallMoments;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * Makes spans of calls and sends them in batches, with OpenTelemetry's SDK and its thread. If the
 * collector does not keep up or does not answer, spans are dropped; calls never wait for it.
 * Thread-safe.
 */
public final class OtlpTracing implements CallTracing, AutoCloseable {
  /** The most calls whose spans wait to be made. */
  private static final int PENDING_MAX = 2048;

  private static final int CLOSE_SECONDS = 2;

  private final SdkTracerProvider provider;
  private final CallSpans spans;
  private final Executor executor;
  private final double ratio;
  private final DoubleSupplier random;
  private final Semaphore room = new Semaphore(PENDING_MAX);

  /**
   * Begins to trace.
   *
   * @param executor makes the spans of calls that have ended
   * @param random numbers from 0 to 1, for calls without a caller's span
   */
  public OtlpTracing(TracingSettings settings, Executor executor, DoubleSupplier random) {
    this.provider =
        SdkTracerProvider.builder()
            .setResource(
                Resource.getDefault()
                    .merge(
                        Resource.create(
                            Attributes.of(
                                AttributeKey.stringKey("service.name"), settings.service()))))
            .addSpanProcessor(
                BatchSpanProcessor.builder(
                        OtlpHttpSpanExporter.builder()
                            .setEndpoint(settings.endpoint().toString())
                            .build())
                    .setScheduleDelay(1, TimeUnit.SECONDS)
                    .build())
            .build();
    this.spans = new CallSpans(provider.get("dev.cairn"));
    this.executor = executor;
    this.ratio = settings.ratio();
    this.random = random;
  }

  @Override
  public CallTrace begin(ByteString traceInfo) {
    Optional<TraceParent> parent = TraceParent.parse(traceInfo);
    boolean traced =
        parent.isPresent() ? parent.get().isSampled() : ratio > 0 && random.getAsDouble() < ratio;
    return traced ? new Traced(parent) : CallTrace.NONE;
  }

  /** Sends the spans that wait, for a few seconds at most. */
  @Override
  public void close() {
    try {
      room.tryAcquire(PENDING_MAX, CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    provider.shutdown().join(CLOSE_SECONDS, TimeUnit.SECONDS);
  }

  private void submit(Runnable task) {
    if (!room.tryAcquire()) {
      return;
    }
    try {
      executor.execute(
          () -> {
            try {
              task.run();
            } finally {
              room.release();
            }
          });
    } catch (RejectedExecutionException e) { // the server ends
      room.release();
    }
  }

  private final class Traced implements CallTrace {
    private final Optional<TraceParent> parent;
    private boolean ended;

    Traced(Optional<TraceParent> parent) {
      this.parent = parent;
    }

    @Override
    public boolean isOn() {
      return true;
    }

    @Override
    public void ended(FinishedCall call, CallMoments moments, Optional<IOException> failure) {
      if (!ended) {
        ended = true;
        submit(() -> spans.record(call, moments, parent, failure));
      }
    }
  }
}
