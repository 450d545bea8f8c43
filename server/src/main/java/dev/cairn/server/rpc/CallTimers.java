package dev.cairn.server.rpc;

import dev.cairn.server.metrics.Histogram;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Records the times and sizes of all calls of one {@link RpcServer}. Thread-safe. */
public sealed interface CallTimers {
  /** Records nothing. */
  CallTimers OFF = new Off();

  /**
   * Records a call that was answered or has failed.
   *
   * @param queueNanos how long it waited for a handler
   * @param processNanos how long its method worked and waited
   * @param requestBytes the length of the request
   * @param responseBytes the length of the response message and its cells; 0 for an error
   */
  void finished(
      MethodPolicy method,
      long queueNanos,
      long processNanos,
      long requestBytes,
      long responseBytes);

  /** Records nothing. */
  final class Off implements CallTimers {
    private Off() {}

    @Override
    public void finished(
        MethodPolicy method,
        long queueNanos,
        long processNanos,
        long requestBytes,
        long responseBytes) {}
  }

  /** Records all calls. */
  final class Recording implements CallTimers {
    final Histogram queue = new Histogram();
    final Histogram total = new Histogram();
    final Histogram requests = new Histogram();
    final Histogram responses = new Histogram();
    private final Map<String, Histogram> methods = new ConcurrentHashMap<>();

    @Override
    public void finished(
        MethodPolicy method,
        long queueNanos,
        long processNanos,
        long requestBytes,
        long responseBytes) {
      Histogram own = methods.get(method.name());
      if (own == null) {
        own = methods.computeIfAbsent(method.name(), any -> new Histogram());
      }
      own.record(processNanos);
      queue.record(queueNanos);
      total.record(queueNanos + processNanos);
      requests.record(requestBytes);
      responses.record(responseBytes);
    }

    /** Returns the processing times of each method that was called, by its name. */
    Map<String, Histogram> methods() {
      return new TreeMap<>(methods);
    }
  }
}
