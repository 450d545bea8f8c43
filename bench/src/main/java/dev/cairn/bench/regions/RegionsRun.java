package dev.cairn.bench.regions;

import dev.cairn.bench.cluster.LocalProcesses;
import dev.cairn.bench.compare.ProcessFigures;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Creates many regions in a cluster, kills a server, and starts the cluster anew. One thread.
 *
 * @param processes the cluster
 * @param regions how many
 * @param limitMinutes how long a step may take
 * @param out takes a line for each step
 */
record RegionsRun(LocalProcesses processes, int regions, int limitMinutes, PrintWriter out) {
  private static final TableName TABLE = TableName.valueOf("regions");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int ROWS_WRITTEN = 1_000;
  private static final long LOOK_MILLIS = 500;

  void run() throws IOException, InterruptedException {
    out.println("| step | s | CPU of the master, s | CPU of the region servers, s | load |");
    out.println("| --- | --- | --- | --- | --- |");
    Set<String> servers;
    try (Connection connection = ConnectionFactory.createConnection(client());
        Admin admin = connection.getAdmin()) {
      servers = servers(admin);
      Step create = new Step("the table is created, all regions are open");
      create(admin);
      awaitOpen(connection, servers);
      create.end();
      writeRows(connection);
      MetaScan.of(connection, TABLE); // the first one fills the cache
      MetaScan meta = MetaScan.of(connection, TABLE);
      line("`hbase:meta` is scanned (%d rows)".formatted(meta.regions()), meta.seconds());
      memory("with all regions");
      String killed = processOf(admin, connection);
      Set<String> others = new TreeSet<>(servers);
      others.remove(addressOf(admin, killed));
      Step failover =
          new Step(
              "%s is killed, its %d regions are open elsewhere"
                  .formatted(killed, meta.regions() - meta.openAt(others)));
      processes.kill(killed);
      awaitOpen(connection, others);
      failover.end();
      memory("after the failover");
    }
    processes.stop();
    long begun = System.nanoTime();
    processes.restart();
    double started = secondsSince(begun);
    try (Connection connection = ConnectionFactory.createConnection(client());
        Admin admin = connection.getAdmin()) {
      line("all processes are started, the cluster serves", started);
      awaitOpen(connection, servers(admin));
      line("since that start, all regions are open", secondsSince(begun));
      readRows(connection);
      memory("after the start");
    }
  }

  private void create(Admin admin) throws IOException, InterruptedException {
    byte[][] splits = new byte[regions - 1][];
    for (int i = 1; i < regions; i++) {
      splits[i - 1] = row(i);
    }
    try {
      admin
          .createTableAsync(
              TableDescriptorBuilder.newBuilder(TABLE)
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                  .build(),
              splits)
          .get(limitMinutes, TimeUnit.MINUTES);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("The table was not created within " + limitMinutes + " minutes", e);
    }
  }

  /** Waits until all regions are open at these servers. */
  private void awaitOpen(Connection connection, Set<String> servers)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(limitMinutes);
    MetaScan meta = MetaScan.of(connection, TABLE);
    while (meta.regions() < regions || meta.openAt(servers) < meta.regions()) {
      if (System.nanoTime() > end) {
        throw new IOException(
            "Only %d of %d regions are open after %d minutes"
                .formatted(meta.openAt(servers), regions, limitMinutes));
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      meta = MetaScan.of(connection, TABLE);
    }
  }

  private void writeRows(Connection connection) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      for (int i = 0; i < ROWS_WRITTEN; i++) {
        table.put(new Put(written(i)).addColumn(FAMILY, FAMILY, FAMILY));
      }
    }
  }

  private void readRows(Connection connection) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      for (int i = 0; i < ROWS_WRITTEN; i++) {
        if (table.get(new Get(written(i))).isEmpty()) {
          throw new IOException("Row " + Bytes.toString(written(i)) + " is lost");
        }
      }
    }
  }

  private byte[] written(int number) {
    return row((int) ((long) number * regions / ROWS_WRITTEN));
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format(Locale.ROOT, "%06d", number));
  }

  /** Returns a region server other than that of {@code hbase:meta}. */
  private String processOf(Admin admin, Connection connection)
      throws IOException, InterruptedException {
    ServerName meta =
        connection
            .getRegionLocator(TableName.META_TABLE_NAME)
            .getRegionLocation(new byte[0], true)
            .getServerName();
    for (ServerName server : admin.getRegionServers()) {
      if (!server.equals(meta)) {
        return nameOf(processes.pid(server.getPort()));
      }
    }
    throw new IOException("A cluster with one region server has no failover");
  }

  private String nameOf(long pid) throws IOException, InterruptedException {
    return processes.pids().entrySet().stream()
        .filter(entry -> entry.getValue() == pid)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow();
  }

  private String addressOf(Admin admin, String name) throws IOException, InterruptedException {
    long pid = processes.pids().get(name);
    for (ServerName server : admin.getRegionServers()) {
      if (processes.pid(server.getPort()) == pid) {
        return server.getAddress().toString();
      }
    }
    throw new IOException(name + " has left the cluster");
  }

  private static Set<String> servers(Admin admin) throws IOException {
    Set<String> addresses = new TreeSet<>();
    admin.getRegionServers().forEach(server -> addresses.add(server.getAddress().toString()));
    return addresses;
  }

  private Configuration client() {
    Configuration client = HBaseConfiguration.create();
    client.addResource(
        new org.apache.hadoop.fs.Path(processes.configuration().resolve("hbase-site.xml").toUri()));
    return client;
  }

  private void memory(String when) throws IOException, InterruptedException {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, Long> process : processes.pids().entrySet()) {
      text.append(
          String.format(
              Locale.ROOT,
              " %s %.0f",
              process.getKey(),
              ProcessFigures.of(process.getValue()).residentBytes() / 1e6));
    }
    out.println("| resident memory " + when + ", MB:" + text + " | | | | |");
    out.flush();
  }

  private void line(String what, double seconds) {
    out.printf(Locale.ROOT, "| %s | %.2f | | | %.0f |%n", what, seconds, machineLoad());
    out.flush();
  }

  private static double machineLoad() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  private static double secondsSince(long nanos) {
    return (System.nanoTime() - nanos) / 1e9;
  }

  /** A step whose processor time is measured, too. */
  private final class Step {
    private final String what;
    private final Map<String, Long> pids;
    private final Map<String, Double> before;
    private final long begun;

    Step(String what) throws IOException, InterruptedException {
      this.what = what;
      this.pids = processes.pids();
      this.before = cpu();
      this.begun = System.nanoTime();
    }

    private Map<String, Double> cpu() {
      Map<String, Double> seconds = new TreeMap<>();
      pids.forEach(
          (name, pid) -> {
            try {
              seconds.put(name, ProcessFigures.of(pid).cpuSeconds());
            } catch (IOException e) {
              // It was killed, so it takes no more processor time.
            }
          });
      return seconds;
    }

    void end() {
      double seconds = secondsSince(begun);
      Map<String, Double> after = cpu();
      out.printf(
          Locale.ROOT,
          "| %s | %.1f | %.1f | %.1f | %.0f |%n",
          what,
          seconds,
          used(after, "master"),
          used(after, "rs"),
          machineLoad());
      out.flush();
    }

    private double used(Map<String, Double> after, String prefix) {
      return after.entrySet().stream()
          .filter(entry -> entry.getKey().startsWith(prefix))
          .mapToDouble(entry -> entry.getValue() - before.get(entry.getKey()))
          .sum();
    }
  }
}
