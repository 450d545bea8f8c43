package dev.cairn.server.tracing;

import dev.cairn.engine.time.PhaseTimes.Phase;
import dev.cairn.engine.time.PhaseTimes.Waits;
import dev.cairn.server.slowlog.FinishedCall;
import dev.cairn.server.tracing.CallTrace.CallMoments;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.trace.HBaseSemanticAttributes;

/**
 * Makes the spans of a call: its own, with HBase's name and attributes, and one below it for the
 * time in a queue and for each phase that it waited in.
 *
 * @param tracer receives them
 */
record CallSpans(Tracer tracer) {
  private static final String PACKAGE = "hbase.pb.";
  private static final String RPC_SYSTEM = "HBASE_RPC";
  private static final AttributeKey<Long> QUEUE = nanosKey("queue");
  private static final AttributeKey<Long> BYTES = AttributeKey.longKey("cairn.response_bytes");
  private static final AttributeKey<Long> COUNT = AttributeKey.longKey("cairn.count");
  private static final AttributeKey<Long> NANOS = AttributeKey.longKey("cairn.nanos");

  private static AttributeKey<Long> nanosKey(String phase) {
    return AttributeKey.longKey("cairn." + phase + "_nanos");
  }

  /** Makes the spans of a call that has ended. */
  void record(
      FinishedCall call,
      CallMoments moments,
      Optional<TraceParent> parent,
      Optional<IOException> failure) {
    String service = PACKAGE + call.service();
    Map<Phase, Waits> phases = call.phases().phases();
    SpanBuilder builder =
        tracer
            .spanBuilder(service + "/" + call.method())
            .setSpanKind(SpanKind.SERVER)
            .setParent(context(parent))
            .setStartTimestamp(moments.epochNanos(moments.receivedNanos()), TimeUnit.NANOSECONDS)
            .setAttribute(HBaseSemanticAttributes.RPC_SYSTEM, RPC_SYSTEM)
            .setAttribute(HBaseSemanticAttributes.RPC_SERVICE, service)
            .setAttribute(HBaseSemanticAttributes.RPC_METHOD, call.method())
            .setAttribute(HBaseSemanticAttributes.DB_USER, call.user())
            .setAttribute(HBaseSemanticAttributes.NET_PEER_NAME, call.client())
            .setAttribute(QUEUE, moments.queueNanos())
            .setAttribute(BYTES, call.responseBytes());
    String region = call.regionName();
    if (!region.isEmpty()) {
      builder.setAttribute(HBaseSemanticAttributes.REGION_NAMES_KEY, List.of(region));
      int comma = region.indexOf(',');
      if (comma > 0) {
        builder.setAttribute(HBaseSemanticAttributes.TABLE_KEY, region.substring(0, comma));
      }
    }
    phases.forEach((phase, waits) -> builder.setAttribute(nanosKey(name(phase)), waits.nanos()));
    Span span = builder.startSpan();
    failure.ifPresent(
        error -> {
          span.recordException(error);
          span.setStatus(StatusCode.ERROR, String.valueOf(error.getMessage()));
        });
    Context inside = Context.root().with(span);
    if (moments.queueNanos() > 0) {
      child(
          "queue",
          inside,
          moments,
          new Waits(moments.receivedNanos(), moments.startedNanos(), moments.queueNanos(), 1));
    }
    phases.forEach((phase, waits) -> child(name(phase), inside, moments, waits));
    span.end(moments.epochNanos(moments.endedNanos()), TimeUnit.NANOSECONDS);
  }

  private void child(String name, Context parent, CallMoments moments, Waits waits) {
    tracer
        .spanBuilder(name)
        .setParent(parent)
        .setStartTimestamp(moments.epochNanos(waits.beginNanos()), TimeUnit.NANOSECONDS)
        .setAttribute(COUNT, (long) waits.count())
        .setAttribute(NANOS, waits.nanos())
        .startSpan()
        .end(moments.epochNanos(waits.endNanos()), TimeUnit.NANOSECONDS);
  }

  private static String name(Phase phase) {
    return phase.name().toLowerCase(Locale.ROOT);
  }

  private static Context context(Optional<TraceParent> parent) {
    return parent
        .map(
            span ->
                Context.root()
                    .with(
                        Span.wrap(
                            SpanContext.createFromRemoteParent(
                                span.traceId(),
                                span.spanId(),
                                TraceFlags.getSampled(),
                                TraceState.getDefault()))))
        .orElse(Context.root());
  }
}
