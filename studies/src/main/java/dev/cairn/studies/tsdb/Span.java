package dev.cairn.studies.tsdb;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Asks for points of a metric, in the order of host and time.
 *
 * @param host empty for all hosts
 * @param from the first time
 * @param to after the last time
 * @param latest whether only the latest one is asked for, of one host
 */
record Span(String metric, Optional<String> host, Instant from, Instant to, boolean latest) {
  /** Tells whether a point is in the time, of the metric and of the host. */
  boolean contains(Point point) {
    return metric.equals(point.metric())
        && host.filter(name -> !name.equals(point.host())).isEmpty()
        && !point.time().isBefore(from)
        && point.time().isBefore(to);
  }

  /** Returns the points that are asked for, of some that include them. */
  List<Point> sorted(Stream<Point> points) {
    List<Point> sorted = points.filter(this::contains).sorted(Point.ORDER).toList();
    return latest ? sorted.subList(Math.max(0, sorted.size() - 1), sorted.size()) : sorted;
  }
}
