package dev.cairn.bench.index;

import dev.cairn.bench.cluster.Percentiles;
import dev.cairn.bench.compare.ServerProcess;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** The times of one query after another, and the processor time of the server. One thread. */
final class QueryTimes {
  private static final double MILLIS = TimeUnit.MILLISECONDS.toNanos(1);

  private final ServerProcess server;
  private final Query query;
  private final Percentiles millis = new Percentiles();
  private double cpuSeconds;
  private double firstMillis = -1;
  private long queries;
  private long rows;

  /** A query. */
  @FunctionalInterface
  interface Query {
    /** Runs it, and returns the number of its rows. */
    long run() throws IOException, InterruptedException;
  }

  QueryTimes(ServerProcess server, Query query) {
    this.server = server;
    this.query = query;
  }

  /** Repeats the query for some seconds, once at least. */
  void run(double seconds) throws IOException, InterruptedException {
    long end = System.nanoTime() + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    double before = server.figures().cpuSeconds();
    do {
      long start = System.nanoTime();
      rows += query.run();
      double took = (System.nanoTime() - start) / MILLIS;
      millis.add(took);
      firstMillis = firstMillis < 0 ? took : firstMillis;
      queries++;
    } while (System.nanoTime() < end);
    cpuSeconds += server.figures().cpuSeconds() - before;
  }

  /** Returns the median of all times, milliseconds. */
  double median() {
    return millis.at(0.5);
  }

  /** Returns the time of the first query, milliseconds. */
  double first() {
    return firstMillis;
  }

  /** Returns the processor time of the server for a query, milliseconds. */
  double cpuMillis() {
    return cpuSeconds * TimeUnit.SECONDS.toMillis(1) / queries;
  }

  /** Returns the average number of rows of a query. */
  double rows() {
    return (double) rows / queries;
  }
}
