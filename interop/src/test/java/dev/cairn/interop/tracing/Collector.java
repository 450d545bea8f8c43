package dev.cairn.interop.tracing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;

/** An OTLP collector on the loopback address: keeps the spans that it receives over HTTP. */
final class Collector implements AutoCloseable {
  private final HttpServer http;
  private final ConcurrentLinkedQueue<ReceivedSpan> spans = new ConcurrentLinkedQueue<>();

  /** A span, with ids in hexadecimal digits and attributes as text. */
  record ReceivedSpan(
      String traceId,
      String id,
      String parent,
      String name,
      long beginNanos,
      long endNanos,
      Map<String, String> attributes,
      boolean isError) {}

  Collector() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext("/v1/traces", this::receive);
    http.start();
  }

  /** Returns the address, as users configure it. */
  String endpoint() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  /** Returns all spans so far. */
  List<ReceivedSpan> spans() {
    return List.copyOf(spans);
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      // ExportTraceServiceRequest.resource_spans, ResourceSpans.scope_spans, ScopeSpans.spans
      for (ByteString resource : in(ByteString.readFrom(exchange.getRequestBody()), 1)) {
        for (ByteString scope : in(resource, 2)) {
          for (ByteString span : in(scope, 2)) {
            spans.add(span(UnknownFieldSet.parseFrom(span)));
          }
        }
      }
      exchange.sendResponseHeaders(200, -1);
    }
  }

  private static ReceivedSpan span(UnknownFieldSet span) throws IOException {
    Map<String, String> attributes = new HashMap<>();
    for (ByteString attribute : span.getField(9).getLengthDelimitedList()) {
      UnknownFieldSet pair = UnknownFieldSet.parseFrom(attribute);
      attributes.put(text(pair, 1), value(in(attribute, 2).get(0)));
    }
    boolean error = false;
    for (ByteString status : span.getField(15).getLengthDelimitedList()) {
      error |= UnknownFieldSet.parseFrom(status).getField(3).getVarintList().contains(2L);
    }
    return new ReceivedSpan(
        hex(span, 1),
        hex(span, 2),
        hex(span, 4),
        text(span, 5),
        span.getField(7).getFixed64List().get(0),
        span.getField(8).getFixed64List().get(0),
        attributes,
        error);
  }

  /** Returns a text, a number, or the first value of a list as text. */
  private static String value(ByteString any) throws IOException {
    UnknownFieldSet value = UnknownFieldSet.parseFrom(any);
    if (value.hasField(5)) {
      return value(in(in(any, 5).get(0), 1).get(0));
    }
    return value.hasField(3)
        ? Long.toString(value.getField(3).getVarintList().get(0))
        : text(value, 1);
  }

  private static List<ByteString> in(ByteString message, int field) throws IOException {
    return new ArrayList<>(
        UnknownFieldSet.parseFrom(message).getField(field).getLengthDelimitedList());
  }

  private static String text(UnknownFieldSet message, int field) {
    return message.getField(field).getLengthDelimitedList().get(0).toString(StandardCharsets.UTF_8);
  }

  private static String hex(UnknownFieldSet message, int field) {
    List<ByteString> bytes = message.getField(field).getLengthDelimitedList();
    return bytes.isEmpty() ? "" : HexFormat.of().formatHex(bytes.get(0).toByteArray());
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
