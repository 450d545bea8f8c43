package dev.cairn.server.rpc;

import dev.cairn.server.metrics.Histogram;
import dev.cairn.server.rpc.service.MethodPolicy;
import io.netty.util.concurrent.EventExecutor;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Records the times and sizes of all calls of one {@link RpcServer}. Thread-safe, except the
 * results of {@link #of}.
 */
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

  /** Returns the timers of one network thread; no other thread may use them. */
  CallTimers forThread(EventExecutor networkThread);

  /** Records nothing. */
  final class Off implements CallTimers {
    private Off() {}

    @Override
    public CallTimers forThread(EventExecutor networkThread) {
      return this;
    }

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
    private final Map<EventExecutor, OfThread> threads = new ConcurrentHashMap<>();

    @Override
    public CallTimers forThread(EventExecutor networkThread) {
      return threads.computeIfAbsent(networkThread, thread -> new OfThread(this));
    }

    private Histogram method(String name) {
      Histogram known = methods.get(name);
      return known == null ? methods.computeIfAbsent(name, any -> new Histogram()) : known;
    }

    @Override
    public void finished(
        MethodPolicy method,
        long queueNanos,
        long processNanos,
        long requestBytes,
        long responseBytes) {
      method(method.name()).record(processNanos);
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

  /** Records the calls that one network thread answers. Confined to it. */
  final class OfThread implements CallTimers {
    private final Recording all;
    private final Histogram.Part queue;
    private final Histogram.Part total;
    private final Histogram.Part requests;
    private final Histogram.Part responses;
    private final Map<String, Histogram.Part> methods = new HashMap<>();

    private OfThread(Recording all) {
      this.all = all;
      this.queue = all.queue.part();
      this.total = all.total.part();
      this.requests = all.requests.part();
      this.responses = all.responses.part();
    }

    @Override
    public CallTimers forThread(EventExecutor networkThread) {
      return all.forThread(networkThread);
    }

    @Override
    public void finished(
        MethodPolicy method,
        long queueNanos,
        long processNanos,
        long requestBytes,
        long responseBytes) {
      Histogram.Part own = methods.get(method.name());
      if (own == null) {
        own = all.method(method.name()).part();
        methods.put(method.name(), own);
      }
      own.record(processNanos);
      queue.record(queueNanos);
      total.record(queueNanos + processNanos);
      requests.record(requestBytes);
      responses.record(responseBytes);
    }
  }
}
