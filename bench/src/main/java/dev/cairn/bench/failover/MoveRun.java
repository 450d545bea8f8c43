package dev.cairn.bench.failover;

import dev.cairn.bench.cluster.MetricsPage;
import dev.cairn.bench.cluster.Percentiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/**
 * Moves regions while clients use the table.
 *
 * @param client the settings of the clients
 * @param regions the regions of the table
 * @param megabytes the size of the table
 * @param clients threads that read and write rows of all regions
 */
record MoveRun(Configuration client, int regions, int megabytes, int clients) {
  /** The time after a move in which calls still count as calls during the move. */
  private static final String MISSES = "blockCacheMissCount";

  private static final long AFTER_MILLIS = 50;

  /** The times without a move that are measured before the moves. */
  private static final int QUIET_TIMES = 20;

  private static final long QUIET_MILLIS = 500;

  private static final int ROWS_OF_CALL = 1000;

  /**
   * What was measured.
   *
   * @param moves how long each move took
   * @param misses how many blocks all reads of the run missed, per move; empty if the servers do
   *     not tell
   * @param failures what ended clients
   */
  record Result(
      Percentiles writes,
      Percentiles reads,
      Percentiles moves,
      Percentiles quietWrites,
      Percentiles quietReads,
      OptionalDouble misses,
      double callsPerSecond,
      List<String> failures) {}

  Result run(int moves) throws IOException, InterruptedException {
    try (Connection connection = ConnectionFactory.createConnection(client);
        Connection probing = ConnectionFactory.createConnection(client);
        Admin admin = connection.getAdmin()) {
      FailoverTable table = FailoverTable.create(connection, "moves", regions, 1);
      table.fill(megabytes);
      admin.flush(table.name());
      return new Moving(connection, probing, admin, table).run(moves);
    }
  }

  private final class Moving {
    private final Connection connection;
    private final Connection probing;
    private final Admin admin;
    private final FailoverTable table;
    private final byte[] value = new byte[100];
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final LongAdder calls = new LongAdder();
    private final List<String> failures = new ArrayList<>();
    private final Percentiles writes = new Percentiles();
    private final Percentiles reads = new Percentiles();

    Moving(Connection connection, Connection probing, Admin admin, FailoverTable table) {
      this.connection = connection;
      this.probing = probing;
      this.admin = admin;
      this.table = table;
    }

    Result run(int count) throws IOException, InterruptedException {
      List<Thread> load = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        Thread thread = new Thread(this::load, "load " + i);
        thread.setDaemon(true);
        thread.start();
        load.add(thread);
      }
      List<ServerName> servers = admin.getRegionServers().stream().sorted().toList();
      warm();
      Percentiles quietWrites = new Percentiles();
      Percentiles quietReads = new Percentiles();
      for (int i = 0; i < QUIET_TIMES; i++) {
        measured(i % regions, () -> Thread.sleep(QUIET_MILLIS), quietWrites, quietReads);
      }
      OptionalLong missedBefore = misses();
      long since = System.nanoTime();
      long callsBefore = calls.sum();
      Percentiles moves = new Percentiles();
      for (int i = 0; i < count; i++) {
        int region = i % regions;
        int now = servers.indexOf(table.server(region));
        ServerName next = servers.get((now + 1) % servers.size());
        measured(
            region,
            () -> {
              long begin = System.nanoTime();
              admin.move(table.region(region), next);
              moves.add((System.nanoTime() - begin) / 1e6);
              Thread.sleep(AFTER_MILLIS);
            },
            writes,
            reads);
      }
      double seconds = (System.nanoTime() - since) / 1e9;
      double rate = (calls.sum() - callsBefore) / seconds;
      OptionalLong missedAfter = misses();
      stopped.set(true);
      for (Thread thread : load) {
        thread.join();
      }
      OptionalDouble missed =
          missedBefore.isPresent() && missedAfter.isPresent()
              ? OptionalDouble.of(
                  (double) (missedAfter.getAsLong() - missedBefore.getAsLong()) / count)
              : OptionalDouble.empty();
      return new Result(
          writes, reads, moves, quietWrites, quietReads, missed, rate, List.copyOf(failures));
    }

    /** Reads all rows once, so that their blocks are in the caches. */
    private void warm() throws IOException {
      try (Table open = connection.getTable(table.name())) {
        for (int row = 0; row < table.rows(megabytes); row += ROWS_OF_CALL) {
          List<Get> gets = new ArrayList<>();
          for (int i = row; i < Math.min(table.rows(megabytes), row + ROWS_OF_CALL); i++) {
            gets.add(new Get(table.row(i)));
          }
          open.exists(gets);
        }
      }
    }

    private interface Action {
      void run() throws IOException, InterruptedException;
    }

    /** Runs an action, and notes the longest calls of the region meanwhile. */
    private void measured(int region, Action action, Percentiles writes, Percentiles reads)
        throws IOException, InterruptedException {
      MoveProbe writer =
          new MoveProbe("writer", probing, table.name(), () -> random(region), this::put);
      MoveProbe reader =
          new MoveProbe("reader", probing, table.name(), () -> random(region), this::get);
      List<MoveProbe> probes = List.of(writer, reader);
      probes.forEach(Thread::start);
      for (MoveProbe probe : probes) {
        Thread.sleep(20); // until it knows the region's server
        probe.begin();
      }
      action.run();
      writes.add(writer.longestMillis());
      reads.add(reader.longestMillis());
      for (MoveProbe probe : probes) {
        probe.end();
        probe.failure().ifPresent(failure -> failed(probe.getName(), failure));
      }
    }

    private byte[] random(int region) {
      int rows = table.rows(megabytes) / regions;
      return table.row(region + regions * ThreadLocalRandom.current().nextInt(rows));
    }

    private void put(Table open, byte[] row) throws IOException {
      open.put(new Put(row).addColumn(FailoverTable.FAMILY, FailoverTable.QUALIFIER, value));
    }

    private void get(Table open, byte[] row) throws IOException {
      open.get(new Get(row));
    }

    private void load() {
      try (Table open = connection.getTable(table.name())) {
        while (!stopped.get()) {
          byte[] row = random(ThreadLocalRandom.current().nextInt(regions));
          if (ThreadLocalRandom.current().nextInt(4) == 0) {
            put(open, row);
          } else {
            get(open, row);
          }
          calls.increment();
        }
      } catch (IOException | RuntimeException e) {
        failed(Thread.currentThread().getName(), e);
      }
    }

    private synchronized void failed(String what, Exception failure) {
      failures.add(what + ": " + failure);
    }

    private OptionalLong misses() throws IOException, InterruptedException {
      long sum = 0;
      for (ServerMetrics server : admin.getClusterMetrics().getLiveServerMetrics().values()) {
        if (server.getInfoServerPort() <= 0) {
          return OptionalLong.empty();
        }
        MetricsPage page =
            MetricsPage.of(server.getServerName().getHostname(), server.getInfoServerPort());
        if (!page.has(MISSES)) {
          return OptionalLong.empty();
        }
        sum += page.sum(MISSES);
      }
      return OptionalLong.of(sum);
    }
  }
}
