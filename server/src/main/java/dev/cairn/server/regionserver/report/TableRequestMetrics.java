package dev.cairn.server.regionserver.report;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.metrics.Histogram.HistogramReading;
import dev.cairn.server.metrics.Metric;
import dev.cairn.server.metrics.MetricRecord;
import dev.cairn.server.metrics.MetricSource;
import dev.cairn.server.metrics.RecordName;
import dev.cairn.server.metrics.Scope;
import dev.cairn.server.metrics.Scope.Label;
import dev.cairn.server.regionserver.hosted.Operation;
import dev.cairn.server.regionserver.hosted.TableTimes;
import java.util.List;
import java.util.stream.Stream;

/**
 * The times of the operations on one table.
 *
 * @param name the name of the table's record
 */
record TableRequestMetrics(RecordName name, TableTimes.Recording times) implements MetricSource {
  private static final Metric TIME =
      Metric.time("Time", "Times of operations on the table, by method.").as("request");

  private static final Metric CONDITIONAL =
      Metric.time(Operation.CONDITIONAL + "Time", "Times of all conditional operations together.")
          .as("conditional_request");

  /**
   * Returns the metrics of a table.
   *
   * @param labels the labels of the server
   */
  static TableRequestMetrics of(TableName table, TableTimes.Recording times, List<Label> labels) {
    return new TableRequestMetrics(
        RecordName.of(RegionServerMetrics.SERVER, "TableRequests_" + Scope.words(table), "table")
            .with(Stream.concat(labels.stream(), Scope.labels(table).stream()).toList()),
        times);
  }

  @Override
  public void collect(MetricRecord.Builder to) {
    HistogramReading conditional = HistogramReading.NONE;
    for (Operation operation : Operation.values()) {
      HistogramReading own = times.read(operation, to.nowNanos()).orElse(HistogramReading.NONE);
      conditional = operation.isConditional() ? conditional.plus(own) : conditional;
      to.add(TIME, Scope.method(operation.hbaseName(), operation.label()), own);
    }
    to.add(CONDITIONAL, Scope.ALL, conditional);
  }
}
