package dev.cairn.interop.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.interop.tracing.Collector.ReceivedSpan;
import dev.cairn.testing.CairnServer;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.trace.HBaseSemanticAttributes;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Apache's client with its own tracing on: the server's spans are below the client's. */
@Timeout(120)
class ClientTraceTest {
  private static final TableName NAME = TableName.valueOf("traced");
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] COLUMN = Bytes.toBytes("q");
  private static final String MULTI = "hbase.pb.ClientService/Multi";

  /** So many threads write so many rows at once that they wait for each other's row locks. */
  private static final int WRITERS = 4;

  private static final int ROWS = 1_000;

  private final ConcurrentLinkedQueue<SpanData> clientSpans = new ConcurrentLinkedQueue<>();

  private Collector collector;
  private CairnServer server;

  @BeforeEach
  void start() throws IOException {
    collector = new Collector();
    server =
        CairnServer.builder()
            .setting("cairn.tracing.endpoint", collector.endpoint())
            .setting("cairn.tracing.service", "test")
            .start();
  }

  @AfterEach
  void stop() throws IOException {
    GlobalOpenTelemetry.resetForTest();
    server.close();
    collector.close();
  }

  @Test
  void callsHaveSpansBelowTheClientsWithTheTimesOfLogAndBlocks() throws Exception {
    try (Connection connection = server.connect()) {
      Table table = table(connection);
      traceClient(Sampler.alwaysOn());
      try (Scope scope = clientSpan().makeCurrent()) {
        table.put(new Put(ROW).addColumn(FAMILY, COLUMN, Bytes.toBytes("value")));
        try (var admin = connection.getAdmin()) {
          admin.flush(NAME);
        }
        table.get(new Get(ROW).setCacheBlocks(false));
        assertThatThrownBy(() -> table.get(new Get(ROW).addFamily(Bytes.toBytes("none"))))
            .isInstanceOf(NoSuchColumnFamilyException.class);
      }
    }
    server.close(); // sends all spans
    ReceivedSpan put = span("hbase.pb.ClientService/Mutate", false);
    assertIsBelowTheClients(put);
    assertThat(put.attributes())
        .containsEntry(HBaseSemanticAttributes.TABLE_KEY.getKey(), NAME.getNameAsString())
        .containsEntry(HBaseSemanticAttributes.RPC_METHOD.getKey(), "Mutate")
        .containsKey("cairn.queue_nanos");
    ReceivedSpan log = child(put, "log").orElseThrow();
    assertThat(log.beginNanos()).isGreaterThanOrEqualTo(put.beginNanos());
    assertThat(log.endNanos()).isLessThanOrEqualTo(put.endNanos());
    ReceivedSpan get = span("hbase.pb.ClientService/Get", false);
    assertIsBelowTheClients(get);
    assertThat(get.attributes().get(HBaseSemanticAttributes.REGION_NAMES_KEY.getKey()))
        .startsWith("traced,");
    assertThat(child(get, "blocks")).as("the file's blocks were not in the cache").isPresent();
    assertIsBelowTheClients(span("hbase.pb.ClientService/Get", true));
  }

  @Test
  void spansOfWritesThatWaitForRowLocksHaveTheWait() throws Exception {
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    try (Connection connection = server.connect()) {
      table(connection).close();
      traceClient(Sampler.alwaysOn());
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        running.add(writers.submit(() -> writeUntilOneWaits(connection)));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      writers.shutdownNow();
    }
    server.close(); // sends all spans
    ReceivedSpan lock = named("lock").findAny().orElseThrow();
    ReceivedSpan write =
        named(MULTI).filter(span -> span.id().equals(lock.parent())).findAny().orElseThrow();
    assertThat(lock.beginNanos()).isBetween(write.beginNanos(), lock.endNanos());
    assertThat(lock.endNanos()).isLessThanOrEqualTo(write.endNanos());
    assertThat(Long.parseLong(write.attributes().get("cairn.lock_nanos")))
        .isBetween(1L, write.endNanos() - write.beginNanos());
  }

  /**
   * Writes the same rows as other threads, until the collector has received the span of a write
   * that waited.
   */
  private Void writeUntilOneWaits(Connection connection) throws IOException {
    try (Table table = connection.getTable(NAME)) {
      while (named("lock").findAny().isEmpty()) {
        try (Scope scope = clientSpan().makeCurrent()) {
          List<Put> puts = new ArrayList<>();
          for (int i = 0; i < ROWS; i++) {
            puts.add(new Put(Bytes.toBytes(i)).addColumn(FAMILY, COLUMN, COLUMN));
          }
          table.put(puts);
        }
      }
    }
    return null;
  }

  private Stream<ReceivedSpan> named(String name) {
    return collector.spans().stream().filter(span -> span.name().equals(name));
  }

  @Test
  void callsThatTheClientDoesNotSampleHaveNoSpans() throws Exception {
    try (Connection connection = server.connect()) {
      Table table = table(connection);
      table.put(new Put(ROW).addColumn(FAMILY, COLUMN, Bytes.toBytes("value")));
      traceClient(Sampler.alwaysOff());
      try (Scope scope = clientSpan().makeCurrent()) {
        table.get(new Get(ROW));
      }
    }
    server.close();
    assertThat(collector.spans()).isEmpty();
  }

  private void assertIsBelowTheClients(ReceivedSpan span) {
    SpanData parent =
        clientSpans.stream()
            .filter(known -> known.getSpanId().equals(span.parent()))
            .findAny()
            .orElseThrow(() -> new AssertionError(span + " is below none of " + clientSpans));
    assertThat(parent.getTraceId()).isEqualTo(span.traceId());
    assertThat(parent.getName()).as("the client's name of the call").isEqualTo(span.name());
    assertThat(parent.getKind()).isEqualTo(SpanKind.CLIENT);
  }

  private ReceivedSpan span(String name, boolean isError) {
    List<ReceivedSpan> found =
        collector.spans().stream()
            .filter(span -> span.name().equals(name) && span.isError() == isError)
            .filter(
                span ->
                    isError
                        || "traced"
                            .equals(
                                span.attributes().get(HBaseSemanticAttributes.TABLE_KEY.getKey())))
            .toList();
    assertThat(found).as(() -> name + " of " + collector.spans()).hasSize(1);
    return found.get(0);
  }

  private Optional<ReceivedSpan> child(ReceivedSpan parent, String name) {
    return collector.spans().stream()
        .filter(span -> span.parent().equals(parent.id()) && span.name().equals(name))
        .findAny();
  }

  private static Table table(Connection connection) throws IOException {
    try (var admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
    }
    Table table = connection.getTable(NAME);
    table.exists(new Get(ROW)); // finds the region
    return table;
  }

  private void traceClient(Sampler sampler) {
    GlobalOpenTelemetry.resetForTest();
    GlobalOpenTelemetry.set(
        OpenTelemetrySdk.builder()
            .setTracerProvider(
                SdkTracerProvider.builder()
                    .setSampler(sampler)
                    .addSpanProcessor(new Recorder())
                    .build())
            .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
            .build());
  }

  private static Span clientSpan() {
    return GlobalOpenTelemetry.getTracer("test").spanBuilder("program").startSpan();
  }

  /** Keeps the client's spans. */
  private final class Recorder implements SpanProcessor {
    @Override
    public void onStart(Context parent, ReadWriteSpan span) {}

    @Override
    public boolean isStartRequired() {
      return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {
      clientSpans.add(span.toSpanData());
    }

    @Override
    public boolean isEndRequired() {
      return true;
    }
  }
}
