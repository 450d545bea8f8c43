package dev.cairn.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.demo.Demo;
import dev.cairn.testing.CairnServer;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Each example on the demo's webtable; the answers by scans. */
class ExamplesTest {
  private static final String WEBTABLE = "webtable";
  private static final int ARTIFACTS = 120;
  private static final int POLL_MILLIS = 20;

  @TempDir static Path folder;
  private static CairnServer server;
  private static Connection connection;
  private static final Map<String, Integer> groups = new TreeMap<>();

  @BeforeAll
  static void load() throws IOException {
    server = CairnServer.start();
    connection = server.connect();
    new Demo(OptionalInt.of(ARTIFACTS), false, new PrintWriter(Writer.nullWriter()))
        .run(server.configuration(), TableName.valueOf(WEBTABLE), 3);
    scan(
        WEBTABLE,
        new Scan().addFamily(Webtable.FILES),
        row -> groups.merge(Webtable.group(row.getRow()), 1, Integer::sum));
    assertThat(groups).hasSizeGreaterThan(3);
  }

  @AfterAll
  static void stop() throws IOException {
    connection.close();
    server.close();
  }

  private interface Rows {
    void row(Result row);
  }

  private static void scan(String table, Scan scan, Rows rows) throws IOException {
    try (Table open = connection.getTable(TableName.valueOf(table));
        ResultScanner scanner = open.getScanner(scan)) {
      scanner.forEach(rows::row);
    }
  }

  private static int rows(String table) throws IOException {
    int[] count = new int[1];
    scan(table, new Scan(), row -> count[0]++);
    return count[0];
  }

  private static Configuration configuration() {
    Configuration configuration = server.configuration();
    configuration.set("hadoop.tmp.dir", folder.resolve("hadoop").toString());
    // Hadoop's default lets the caller wait for five seconds more than the job takes.
    configuration.setInt("mapreduce.client.completion.pollinterval", POLL_MILLIS);
    configuration.setInt("mapreduce.client.progressmonitor.pollinterval", POLL_MILLIS);
    return configuration;
  }

  private static void run(String... arguments) throws Exception {
    assertThat(ToolRunner.run(configuration(), new Examples(), arguments)).isZero();
  }

  @Test
  void readOnlyCountsTheReferencesByKindInSplitsOfItsOwn() throws Exception {
    Map<String, Long> kinds = new TreeMap<>();
    scan(
        WEBTABLE,
        new Scan().addFamily(Webtable.DEPS),
        row -> {
          for (Cell cell : row.rawCells()) {
            kinds.merge(Bytes.toString(CellUtil.cloneValue(cell)), 1L, Long::sum);
          }
        });
    Job job = new CountKinds().job(configuration(), new String[] {WEBTABLE});
    assertThat(new DomainSplits(job).count()).isGreaterThan(3);
    assertThat(job.waitForCompletion(false)).isTrue();
    Map<String, Long> counted = new TreeMap<>();
    for (Counter counter : job.getCounters().getGroup(CountKinds.GROUP)) {
      counted.put(counter.getName(), counter.getValue());
    }
    assertThat(counted).isEqualTo(kinds).isNotEmpty();
  }

  private record DomainSplits(Job job) {
    int count() throws IOException {
      DomainInputFormat format = new DomainInputFormat();
      format.setConf(job.getConfiguration());
      return format.getSplits(job).size();
    }
  }

  @Test
  void readAndWriteCopiesOneFamily() throws Exception {
    run("read-write", WEBTABLE, "copy");
    Map<String, String> expected = new TreeMap<>();
    Map<String, String> copied = new TreeMap<>();
    scan(WEBTABLE, new Scan().addFamily(Webtable.FILES), row -> add(row, expected));
    scan("copy", new Scan(), row -> add(row, copied));
    assertThat(copied).isEqualTo(expected).isNotEmpty();
  }

  private static void add(Result row, Map<String, String> to) {
    StringBuilder cells = new StringBuilder();
    for (Cell cell : row.rawCells()) {
      cells.append(Bytes.toString(CellUtil.cloneQualifier(cell)));
      cells.append('=').append(Bytes.toString(CellUtil.cloneValue(cell))).append('\n');
    }
    to.put(Bytes.toString(row.getRow()), cells.toString());
  }

  @Test
  void severalTablesGetThePartsOfOne() throws Exception {
    int[] with = new int[1];
    int[] without = new int[1];
    scan(
        WEBTABLE,
        new Scan().addFamily(Webtable.DEPS).addFamily(Webtable.FILES),
        row -> (row.getFamilyMap(Webtable.DEPS).isEmpty() ? without : with)[0]++);
    run("multi-table", WEBTABLE, "with", "without");
    assertThat(rows("with")).isEqualTo(with[0]).isPositive();
    assertThat(rows("without")).isEqualTo(without[0]).isPositive();
  }

  @Test
  void summariesIntoATableHaveARowForEachGroup() throws Exception {
    run("summary-table", WEBTABLE, "sums");
    Map<String, Integer> sums = new TreeMap<>();
    scan(
        "sums",
        new Scan(),
        row ->
            sums.put(Bytes.toString(row.getRow()), Integer.valueOf(Bytes.toString(row.value()))));
    assertThat(sums).isEqualTo(groups);
  }

  @Test
  void summariesWithoutAReducerAreTheSame() throws Exception {
    run("summary-mapper", WEBTABLE, "counters");
    Map<String, Integer> sums = new TreeMap<>();
    scan(
        "counters",
        new Scan(),
        row -> sums.put(Bytes.toString(row.getRow()), (int) Bytes.toLong(row.value())));
    assertThat(sums).isEqualTo(groups);
  }

  @Test
  void summariesIntoFilesHaveALineForEachGroup() throws Exception {
    Path output = folder.resolve("summary");
    run("summary-files", WEBTABLE, output.toString());
    Map<String, Integer> sums = new TreeMap<>();
    for (String line : Files.readAllLines(output.resolve("part-r-00000"))) {
      String[] words = line.split("\t");
      sums.put(words[0], Integer.valueOf(words[1]));
    }
    assertThat(sums).isEqualTo(groups);
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, architectures = "amd64")
  void summariesIntoADatabaseReplaceThoseOfEarlierRuns() throws Exception {
    try (EmbeddedPostgres database =
        EmbeddedPostgres.builder()
            .setOverrideWorkingDirectory(folder.resolve("postgres").toFile())
            .start()) {
      String url = database.getJdbcUrl("postgres", "postgres");
      run("summary-database", WEBTABLE, url);
      run("summary-database", WEBTABLE, url);
      Map<String, Integer> sums = new TreeMap<>();
      try (java.sql.Connection open = database.getPostgresDatabase().getConnection();
          Statement statement = open.createStatement();
          ResultSet rows = statement.executeQuery("SELECT name, count FROM artifacts")) {
        while (rows.next()) {
          sums.put(rows.getString(1), rows.getInt(2));
        }
      }
      assertThat(sums).isEqualTo(groups);
    }
  }
}
