package dev.cairn.server.rpc;

import java.util.concurrent.atomic.LongAdder;

/** Counts what an {@link RpcServer} does. Thread-safe. */
final class RpcMetrics {
  final LongAdder connections = new LongAdder();
  final LongAdder requests = new LongAdder();
  final LongAdder exceptions = new LongAdder();
  final LongAdder rejected = new LongAdder();
  final LongAdder expired = new LongAdder();
  final LongAdder bytesReceived = new LongAdder();
  final LongAdder bytesSent = new LongAdder();
}
