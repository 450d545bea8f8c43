package dev.cairn.phoenix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Does the same statements on two servers in turns, and prints the processor time of each server
 * for a row. Linux only: reads {@code /proc}.
 *
 * <p>Arguments: URL and process of the first server, the same of the second, the number of turns,
 * and the seconds of one.
 */
public final class Speed {
  private static final int ROWS = 20_000;
  private static final int THREADS = 4;
  private static final int WARM_UPS = 4; // turns
  private static final long TICK_MICROS = 10_000;

  private Speed() {}

  /** A server, by its JDBC URL and its process. */
  private record Server(String url, String process) {
    /** Returns the processor time that it has used, microseconds. */
    long micros() throws IOException {
      String stat = Files.readString(Path.of("/proc", process, "stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * TICK_MICROS;
    }
  }

  /** Statements for a random number of rows, in one commit. */
  private record Work(String name, String sql, int rows) {
    void run(Connection connection, PreparedStatement statement, Random random)
        throws SQLException {
      if (sql.startsWith("SELECT")) {
        statement.setInt(1, random.nextInt(ROWS));
        try (ResultSet results = statement.executeQuery()) {
          while (results.next()) {
            results.getString(2);
          }
        }
        return;
      }
      for (int i = 0; i < rows; i++) {
        fill(statement, random.nextInt(ROWS), random.nextInt(ROWS));
      }
      connection.commit();
    }
  }

  private static final List<Work> WORKS =
      List.of(
          new Work("upsert", upsert("P"), 1),
          new Work("upsert of 100", upsert("P"), 100),
          new Work("upsert, one index", upsert("X"), 1),
          new Work("upsert of 100, one index", upsert("X"), 100),
          new Work("point select", "SELECT * FROM P WHERE ID = ?", 1));

  private static String upsert(String table) {
    return "UPSERT INTO " + table + " VALUES (?, ?, ?, ?)";
  }

  private static void fill(PreparedStatement statement, int id, long number) throws SQLException {
    statement.setInt(1, id);
    statement.setString(2, "a".repeat(100));
    statement.setString(3, "b".repeat(100));
    statement.setLong(4, number);
    statement.execute();
  }

  /** Runs the comparison. */
  public static void main(String[] arguments) throws Exception {
    List<Server> servers =
        List.of(new Server(arguments[0], arguments[1]), new Server(arguments[2], arguments[3]));
    int turns = Integer.parseInt(arguments[4]);
    long nanos = TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[5]));
    for (Server server : servers) {
      create(server);
    }
    System.out.println("| work | first, us | second, us | first / second |");
    System.out.println("| --- | --- | --- | --- |");
    for (Work work : WORKS) {
      List<Double> first = new ArrayList<>();
      List<Double> second = new ArrayList<>();
      List<Double> ratios = new ArrayList<>();
      for (int turn = -WARM_UPS; turn < turns; turn++) {
        double a = turn(servers.get(0), work, nanos);
        double b = turn(servers.get(1), work, nanos);
        if (turn >= 0) {
          first.add(a);
          second.add(b);
          ratios.add(a / b);
        }
      }
      System.out.printf(
          "| %s | %.1f | %.1f | %.2f (%.2f to %.2f) |%n",
          work.name(),
          median(first),
          median(second),
          median(ratios),
          ratios.get(0),
          ratios.get(ratios.size() - 1));
    }
    Runtime.getRuntime().halt(0); // Phoenix's and HBase's threads go on
  }

  /** Sorts the values. */
  private static double median(List<Double> values) {
    values.sort(null);
    return values.get(values.size() / 2);
  }

  private static void create(Server server) throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.url());
        Statement statement = connection.createStatement()) {
      for (String table : List.of("P", "X")) {
        statement.execute("DROP TABLE IF EXISTS " + table + " CASCADE");
        statement.execute(
            "CREATE TABLE " + table + " (ID INTEGER PRIMARY KEY, A VARCHAR, B VARCHAR, N BIGINT)");
      }
      statement.execute("CREATE INDEX XI ON X (N) INCLUDE (A)");
      for (String table : List.of("P", "X")) {
        try (PreparedStatement rows = connection.prepareStatement(upsert(table))) {
          for (int id = 0; id < ROWS; id++) {
            fill(rows, id, id);
            if (id % 500 == 499) {
              connection.commit();
            }
          }
        }
      }
    }
  }

  /** Returns the processor time of a row, microseconds. */
  private static double turn(Server server, Work work, long nanos) throws Exception {
    long before = server.micros();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<Long>> counts = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      counts.add(threads.submit(() -> repeat(server, work, nanos)));
    }
    long rows = 0;
    for (Future<Long> count : counts) {
      rows += count.get();
    }
    threads.shutdown();
    return (server.micros() - before) / (double) rows;
  }

  private static long repeat(Server server, Work work, long nanos) throws SQLException {
    Random random = new Random();
    long rows = 0;
    try (Connection connection = DriverManager.getConnection(server.url());
        PreparedStatement statement = connection.prepareStatement(work.sql())) {
      long begin = System.nanoTime();
      while (System.nanoTime() - begin < nanos) {
        work.run(connection, statement, random);
        rows += work.rows();
      }
    }
    return rows;
  }
}
