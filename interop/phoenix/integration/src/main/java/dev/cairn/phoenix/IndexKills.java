package dev.cairn.phoenix;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.util.ToolRunner;
import org.apache.phoenix.mapreduce.index.IndexTool;
import org.apache.phoenix.mapreduce.index.PhoenixIndexToolJobCounters;
import org.apache.phoenix.util.QueryUtil;

/**
 * The client of {@code interop/phoenix/kills}: writes to a table with two covered indexes while the
 * server is killed, and compares the table with its indexes afterwards.
 *
 * <p>Arguments: {@code create}; {@code load SEED}, which ends with status 1 if a write fails, and 0
 * if none of a fixed number of them does; {@code check FOLDER}, which writes one line, and ends
 * with status 1 if table and indexes differ; {@code spoil}, which deletes a row of the first index
 * without Phoenix, so that a check must find it.
 */
public final class IndexKills {
  private static final List<String> INDEXES = List.of("I1", "I2");

  private static final int CONNECTS = 10; // each has all retries of the client
  private static final int WRITERS = 4;
  private static final int COMMITS = 2000; // of a writer
  private static final int IDS = 150;
  private static final String ATOMIC =
      "UPSERT INTO T (ID, CITY, N) VALUES (%d, 'one', 1)"
          + " ON DUPLICATE KEY UPDATE N = N + 1, CITY = 'more'";

  private IndexKills() {}

  /** Runs one command. */
  public static void main(String[] arguments) throws Exception {
    boolean good =
        switch (arguments[0]) {
          case "create" -> create();
          case "load" -> load(Long.parseLong(arguments[1]));
          case "check" -> check(Path.of(arguments[1]));
          case "spoil" -> spoil();
          default -> throw new IllegalArgumentException(arguments[0]);
        };
    Runtime.getRuntime().halt(good ? 0 : 1); // Phoenix's and HBase's threads go on
  }

  private static boolean create() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE T (ID INTEGER PRIMARY KEY, CITY VARCHAR, N BIGINT, S VARCHAR)");
      statement.execute("CREATE INDEX I1 ON T (CITY) INCLUDE (N)");
      statement.execute("CREATE INDEX I2 ON T (N) INCLUDE (CITY, S)");
    }
    return true;
  }

  private static Connection connect() throws SQLException {
    Properties properties = new Properties();
    String url = QueryUtil.getConnectionUrl(properties, HBaseConfiguration.create());
    for (int i = 1; ; i++) {
      try {
        return DriverManager.getConnection(url, properties);
      } catch (SQLException e) {
        if (i == CONNECTS) {
          throw e;
        }
        System.err.println("The server is not ready: " + e);
      }
    }
  }

  private static boolean load(long seed) throws SQLException, InterruptedException {
    connect().close(); // the writers share what it has read
    List<Writer> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      Writer writer = new Writer(new Random(seed * WRITERS + i));
      writers.add(writer);
      writer.start();
    }
    boolean good = true;
    for (Writer writer : writers) {
      writer.join();
      good &= writer.good;
    }
    return good;
  }

  /** Commits random batches of statements on few rows, so that writers meet. */
  private static final class Writer extends Thread {
    private final Random random;
    private boolean good; // read after the end

    Writer(Random random) {
      this.random = random;
    }

    @Override
    public void run() {
      try (Connection connection = connect();
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        for (int i = 0; i < COMMITS; i++) {
          for (int n = 1 + random.nextInt(12); n > 0; n--) {
            statement.execute(change(i));
          }
          if (random.nextInt(6) == 0) {
            statement.execute(ATOMIC.formatted(random.nextInt(IDS)));
          }
          connection.commit();
        }
        good = true;
      } catch (SQLException | RuntimeException e) {
        System.err.println("A writer ends: " + e);
      }
    }

    private String change(int commit) {
      int id = random.nextInt(IDS);
      int kind = random.nextInt(10);
      if (kind < 6) {
        return "UPSERT INTO T VALUES (%d, 'city%d', %d, 'text%d')"
            .formatted(id, random.nextInt(5), random.nextInt(20), commit);
      }
      return kind < 8
          ? "UPSERT INTO T (ID, CITY) VALUES (%d, 'city%d')".formatted(id, random.nextInt(5))
          : "DELETE FROM T WHERE ID = " + id;
    }
  }

  /** Runs Phoenix's tool before the first query, because queries repair index rows. */
  private static boolean check(Path folder) throws Exception {
    connect().close();
    Map<PhoenixIndexToolJobCounters, Long> counters =
        new EnumMap<>(PhoenixIndexToolJobCounters.class);
    for (String index : INDEXES) {
      for (String source : List.of("DATA_TABLE_SOURCE", "INDEX_TABLE_SOURCE")) {
        verify(index, source, folder.resolve(index + "-" + source), counters);
      }
    }
    long invalid = sum(counters, "INVALID_INDEX_ROW_COUNT", "UNKNOWN_INDEX_ROW_COUNT");
    long missing = sum(counters, "MISSING_INDEX_ROW_COUNT");
    long extra = sum(counters, "EXTRA_VERIFIED_INDEX_ROW_COUNT");
    List<String> table = rows("/*+ NO_INDEX */", "ID, CITY, N, S", "OVER T");
    boolean same =
        table.equals(rows("/*+ INDEX(T I2) */", "ID, CITY, N, S", "OVER I2"))
            && rows("/*+ NO_INDEX */", "ID, CITY, N", "OVER T")
                .equals(rows("/*+ INDEX(T I1) */", "ID, CITY, N", "OVER I1"));
    System.out.printf(
        "%5d %6d %8d %8d %6d %11d %6d  %s%n",
        table.size(),
        sum(counters, "_VALID_INDEX_ROW_COUNT"),
        invalid,
        missing,
        extra,
        sum(counters, "REBUILD_UNVERIFIED_INDEX_ROW_COUNT"),
        sum(counters, "EXTRA_UNVERIFIED_INDEX_ROW_COUNT"),
        same ? "same" : "different");
    return same && invalid + missing + extra == 0 && table.size() > 0;
  }

  private static void verify(
      String index, String source, Path output, Map<PhoenixIndexToolJobCounters, Long> counters)
      throws Exception {
    Configuration configuration = HBaseConfiguration.create();
    IndexTool tool = new IndexTool();
    List<String> options =
        new ArrayList<>(
            List.of("-dt", "T", "-it", index, "-v", "ONLY", "-runfg", "-op", output.toString()));
    if (source.startsWith("INDEX")) {
      options.add("-fi");
    }
    if (ToolRunner.run(configuration, tool, options.toArray(String[]::new)) != 0) {
      throw new IOException("IndexTool " + options + " failed");
    }
    for (PhoenixIndexToolJobCounters counter : PhoenixIndexToolJobCounters.values()) {
      long rows = tool.getJob().getCounters().findCounter(counter).getValue();
      System.err.println(index + " " + source + " " + counter + " " + rows);
      counters.merge(counter, rows, Long::sum);
    }
  }

  private static long sum(Map<PhoenixIndexToolJobCounters, Long> counters, String... ends) {
    long sum = 0;
    for (Map.Entry<PhoenixIndexToolJobCounters, Long> counter : counters.entrySet()) {
      for (String end : ends) {
        if (counter.getKey().name().startsWith("BEFORE_")
            && counter.getKey().name().endsWith(end)) {
          sum += counter.getValue();
        }
      }
    }
    return sum;
  }

  private static List<String> rows(String hint, String columns, String plan) throws SQLException {
    String query = "SELECT " + hint + " " + columns + " FROM T";
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      try (ResultSet steps = statement.executeQuery("EXPLAIN " + query)) {
        if (!steps.next() || !steps.getString(1).endsWith(plan)) {
          throw new SQLException(query + " does not scan " + plan + ": " + steps.getString(1));
        }
      }
      List<String> rows = new ArrayList<>();
      try (ResultSet found = statement.executeQuery(query)) {
        while (found.next()) {
          List<String> row = new ArrayList<>();
          for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
            row.add(found.getString(i));
          }
          rows.add(row.toString());
        }
      }
      rows.sort(null);
      return rows;
    }
  }

  private static boolean spoil() throws IOException {
    try (var connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        Table index = connection.getTable(TableName.valueOf(INDEXES.get(0)));
        ResultScanner rows = index.getScanner(new Scan())) {
      Result row = rows.next();
      index.delete(new Delete(row.getRow()));
    }
    return true;
  }
}
