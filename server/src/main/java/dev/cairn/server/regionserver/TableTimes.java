package dev.cairn.server.regionserver;

import dev.cairn.server.metrics.Histogram;
import dev.cairn.server.metrics.HistogramReading;
import dev.cairn.server.metrics.HistogramSnapshot;
import dev.cairn.server.rpc.RpcCall;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Records how long operations on one table take. Thread-safe. */
sealed interface TableTimes {
  /** Records nothing. */
  TableTimes OFF = new Off();

  /** Has the time of a call recorded as that of an operation. */
  void time(RpcCall call, Operation operation);

  /** Records an operation. */
  void record(Operation operation, long nanos);

  /** Records nothing. */
  final class Off implements TableTimes {
    private Off() {}

    @Override
    public void time(RpcCall call, Operation operation) {}

    @Override
    public void record(Operation operation, long nanos) {}
  }

  /** Records all operations. A histogram begins with the first operation of its kind. */
  final class Recording implements TableTimes {
    private final AtomicReferenceArray<Histogram> histograms =
        new AtomicReferenceArray<>(Operation.values().length);

    @Override
    public void time(RpcCall call, Operation operation) {
      call.timedBy(histogram(operation));
    }

    @Override
    public void record(Operation operation, long nanos) {
      histogram(operation).record(nanos);
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
    Optional<HistogramSnapshot> total(Operation operation) {
      return Optional.ofNullable(histograms.get(operation.ordinal())).map(Histogram::snapshot);
    }

    /** Returns the times of an operation; empty if there was none. */
    Optional<HistogramReading> read(Operation operation, long nowNanos) {
      return Optional.ofNullable(histograms.get(operation.ordinal()))
          .map(histogram -> histogram.read(nowNanos));
    }
  }
}
