package dev.cairn.server.rpc;

import dev.cairn.server.rpc.wire.NamedException;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the work of an {@link RpcServer}. Thread-safe. */
final class RpcMetrics {
  final LongAdder connections = new LongAdder();
  final LongAdder requests = new LongAdder();
  final LongAdder exceptions = new LongAdder();
  final LongAdder rejected = new LongAdder();
  final LongAdder expired = new LongAdder();
  final LongAdder bytesReceived = new LongAdder();
  final LongAdder bytesSent = new LongAdder();
  private final Map<String, LongAdder> exceptionsByClass = new ConcurrentHashMap<>();

  /** Counts a call that is answered with an error. */
  void failed(IOException error) {
    exceptions.increment();
    String name = NamedException.nameOf(error);
    exceptionsByClass
        .computeIfAbsent(name.substring(name.lastIndexOf('.') + 1), any -> new LongAdder())
        .increment();
  }

  /** Returns the number of errors of each class, by its simple name. */
  Map<String, Long> exceptionsByClass() {
    Map<String, Long> counts = new TreeMap<>();
    exceptionsByClass.forEach((name, count) -> counts.put(name, count.sum()));
    return counts;
  }
}
