package dev.cairn.server.regionserver.hosted;

import dev.cairn.server.metrics.Histogram;
import dev.cairn.server.metrics.Histogram.HistogramReading;
import dev.cairn.server.metrics.HistogramSnapshot;
import dev.cairn.server.rpc.service.RpcCall;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Records how long operations on one table take, and counts some of them. Thread-safe. */
public sealed interface TableTimes {
  /** Records nothing. */
  TableTimes OFF = new Off();

  /** Has the time of a call recorded as that of an operation. */
  void time(RpcCall call, Operation operation);

  /** Records an operation. */
  void record(Operation operation, long nanos);

  /** Counts an event. */
  void count(Event event);

  /** An event that is counted besides the operations. */
  enum Event {
    CONDITION_MET,
    CONDITION_NOT_MET,
    /** A scan of all rows of a region has begun. */
    FULL_SCAN
  }

  /** Records nothing. */
  final class Off implements TableTimes {
    private Off() {}

    @Override
    public void time(RpcCall call, Operation operation) {}

    @Override
    public void record(Operation operation, long nanos) {}

    @Override
    public void count(Event event) {}
  }

  /** Records all operations. A histogram begins with the first operation of its kind. */
  final class Recording implements TableTimes {
    private final AtomicReferenceArray<Histogram> histograms =
        new AtomicReferenceArray<>(Operation.values().length);

    private final AtomicLongArray events = new AtomicLongArray(Event.values().length);

    @Override
    public void time(RpcCall call, Operation operation) {
      call.timedBy(histogram(operation));
    }

    @Override
    public void record(Operation operation, long nanos) {
      histogram(operation).record(nanos);
    }

    @Override
    public void count(Event event) {
      events.getAndIncrement(event.ordinal());
    }

    /** Returns how many events were counted. */
    public long total(Event event) {
      return events.get(event.ordinal());
    }

    private Histogram histogram(Operation operation) {
      Histogram known = histograms.get(operation.ordinal());
      if (known != null) {
        return known;
      }
      histograms.compareAndSet(operation.ordinal(), null, new Histogram());
      return histograms.get(operation.ordinal());
    }

    /** Returns the times of an operation since the creation; empty if there was none. */
    public Optional<HistogramSnapshot> total(Operation operation) {
      return Optional.ofNullable(histograms.get(operation.ordinal())).map(Histogram::snapshot);
    }

    /** Returns the times of an operation; empty if there was none. */
    public Optional<HistogramReading> read(Operation operation, long nowNanos) {
      return Optional.ofNullable(histograms.get(operation.ordinal()))
          .map(histogram -> histogram.read(nowNanos));
    }
  }
}
