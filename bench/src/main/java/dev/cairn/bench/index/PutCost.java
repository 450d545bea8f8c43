package dev.cairn.bench.index;

import dev.cairn.bench.cluster.Percentiles;
import dev.cairn.bench.compare.ServerProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Measures the server's processor time of a single put into tables without an index, with one, and
 * with two, in turns; and into a table without an index on another build.
 */
final class PutCost {
  private static final int ROWS = 1_000_000;
  private static final int THREADS = 4;
  private static final double MICROS = 1e6;
  private static final String[][] INDEXES = {{}, {"a"}, {"a", "b"}};

  private final int turns;
  private final double seconds;

  /**
   * Plans the measurement.
   *
   * @param turns the measured turns of each table
   * @param seconds of a turn
   */
  PutCost(int turns, double seconds) {
    this.turns = turns;
    this.seconds = seconds;
  }

  /** A table, with the processor time of a put in each turn, microseconds. */
  private record Side(String name, ServerProcess server, Table table, List<Double> micros) {}

  /**
   * Measures.
   *
   * @param base servers of another build, none or one
   */
  void run(ServerProcess server, List<ServerProcess> base, PrintWriter out)
      throws IOException, InterruptedException {
    List<Connection> connections = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Side> sides = new ArrayList<>();
      Connection own = server.connect();
      connections.add(own);
      for (String[] indexes : INDEXES) {
        sides.add(side(indexes.length + " indexes", server, own, indexes));
      }
      for (ServerProcess other : base) {
        Connection connection = other.connect();
        connections.add(connection);
        sides.add(side("no index, base", other, connection));
      }
      for (int turn = -3; turn < turns; turn++) { // three turns warm up
        for (int i = 0; i < sides.size(); i++) {
          Side side = sides.get((i + Math.max(0, turn)) % sides.size()); // each is first in turn
          double micros = turn(side, threads);
          if (turn >= 0) {
            side.micros().add(micros);
          }
        }
      }
      print(sides, out);
    } finally {
      threads.shutdownNow();
      for (Connection connection : connections) {
        connection.close();
      }
    }
  }

  private static Side side(
      String name, ServerProcess server, Connection connection, String... indexes)
      throws IOException {
    IndexedTable table = new IndexedTable(connection, "puts_" + indexes.length);
    table.create(1, indexes);
    return new Side(name, server, connection.getTable(table.name()), new ArrayList<>());
  }

  /** Puts for a while, and returns the processor time of a put. */
  private double turn(Side side, ExecutorService threads) throws IOException, InterruptedException {
    double before = side.server().figures().cpuSeconds();
    long end = System.nanoTime() + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    List<Future<Long>> writers = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      writers.add(threads.submit(() -> write(side.table(), end)));
    }
    long puts = 0;
    for (Future<Long> writer : writers) {
      try {
        puts += writer.get();
      } catch (ExecutionException e) {
        throw new IOException("A put failed: " + e.getCause(), e);
      }
    }
    return (side.server().figures().cpuSeconds() - before) * MICROS / Math.max(1, puts);
  }

  private static long write(Table table, long end) throws IOException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long puts = 0;
    while (System.nanoTime() < end) {
      Put put = new Put(Bytes.toBytes("row%07d".formatted(random.nextInt(ROWS))));
      for (String name : List.of("a", "b")) {
        IndexedTable.Column column = new IndexedTable.Column(name, ROWS);
        put.addColumn(
            IndexedTable.FAMILY, column.qualifier(), column.value(random.nextInt(column.values())));
      }
      put.addColumn(IndexedTable.FAMILY, Bytes.toBytes("payload"), new byte[100]);
      table.put(put);
      puts++;
    }
    return puts;
  }

  private static void print(List<Side> sides, PrintWriter out) {
    out.println();
    out.println(
        "| single put into a table with | server CPU, µs: median | (from, to) | ratio: median of turns |");
    out.println("| --- | --- | --- | --- |");
    Side plain = sides.get(0);
    for (Side side : sides) {
      boolean isBase = side.server() != plain.server();
      Percentiles micros = new Percentiles();
      Percentiles ratios = new Percentiles();
      for (int i = 0; i < side.micros().size(); i++) {
        micros.add(side.micros().get(i));
        ratios.add(
            isBase
                ? plain.micros().get(i) / side.micros().get(i)
                : side.micros().get(i) / plain.micros().get(i));
      }
      out.printf(
          Locale.ROOT,
          "| %s | %.1f | %.1f, %.1f | %.3f%s |%n",
          side.name(),
          micros.at(0.5),
          micros.at(0),
          micros.at(1),
          ratios.at(0.5),
          isBase ? " (this build to base)" : "");
    }
    out.flush();
  }
}
