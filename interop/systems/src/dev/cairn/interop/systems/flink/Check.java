package dev.cairn.interop.systems.flink;

import dev.cairn.interop.systems.check.Report;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.CloseableIterator;

/**
 * What a user of Flink's HBase connector does: SQL that writes, reads and joins tables of HBase.
 */
public final class Check {
  private static final int ROWS = 1000;

  private final Report report = new Report();
  private final String quorum;

  private Check(String quorum) {
    this.quorum = quorum;
  }

  /** Arguments: the site's file, a folder for files. */
  public static void main(String[] arguments) throws Exception {
    Path site = Path.of(arguments[0]);
    Check check = new Check(Report.quorum(site));
    check.batch();
    check.changes();
    check.report.end();
  }

  private void batch() {
    TableEnvironment sql = TableEnvironment.create(EnvironmentSettings.inBatchMode());
    sql.getConfig().set("parallelism.default", "2");
    declare(sql);
    report.run(
        "INSERT of 1000 rows with ten types",
        () ->
            sql.executeSql(
                    "INSERT INTO t SELECT 'row' || LPAD(CAST(id AS STRING), 4, '0'), ROW('name' || CAST(id AS"
                        + " STRING), id, CAST(id AS BIGINT) * 10000000000, id / CAST(4 AS DOUBLE),"
                        + " id > 500), ROW(CAST(id AS DECIMAL(12, 2)) / 100, DATE '2026-01-01',"
                        + " TIMESTAMP '2026-01-01 10:00:00.123', CAST('x' AS BYTES), CAST(id AS SMALLINT))"
                        + " FROM numbers")
                .await());
    report.equal("SELECT of a count", "[+I[1000]]", () -> rows(sql, "SELECT COUNT(*) FROM t"));
    report.equal(
        "SELECT of a row",
        "[+I[row0042, name42, 42, 420000000000, 10.5, false, 0.42, 2026-01-01, 2026-01-01T10:00:00.123, 120, 42]]",
        () ->
            rows(
                sql,
                "SELECT k, f.name, f.n, f.big, f.x, f.over500, g.price, g.`day`, g.stamp, ASCII(CAST(g.bin AS STRING)), g.small FROM t WHERE k = 'row0042'"));
    report.equal(
        "SELECT with conditions and sums",
        "[+I[499, 374250, 93562.5]]",
        () ->
            rows(sql, "SELECT COUNT(*), SUM(f.n), SUM(f.x) FROM t WHERE f.over500 AND f.n < 1000"));
    report.equal(
        "SELECT of one family",
        "[+I[10, name10]]",
        () -> rows(sql, "SELECT f.n, f.name FROM t WHERE f.n = 10"));
    report.run(
        "INSERT from another table of HBase",
        () ->
            sql.executeSql(
                    "INSERT INTO copy SELECT k, ROW(f.name, f.n) FROM t WHERE MOD(f.n, 10) = 0")
                .await());
    report.equal("… its count", "[+I[100]]", () -> rows(sql, "SELECT COUNT(*) FROM copy"));
    for (String how :
        List.of(
            "",
            "'lookup.async' = 'true',",
            "'lookup.cache' = 'PARTIAL', 'lookup.partial-cache.max-rows' = '10',")) {
      report.equal(
          "lookup join" + (how.isEmpty() ? "" : ", " + how.substring(0, how.length() - 1)),
          "[+I[name100, 1], +I[name200, 2], +I[name300, 3], +I[null, 0]]",
          () -> {
            StreamTableEnvironment stream = streaming();
            stream.executeSql(table("side", "flink", "f ROW<name STRING, n INT>", how));
            stream.executeSql(
                "CREATE VIEW orders AS SELECT id, CASE id WHEN 0 THEN 'none' ELSE 'row0' || CAST(id * 100 AS STRING) END AS"
                    + " k, PROCTIME() AS pt FROM (VALUES (0), (1), (2), (3)) AS v(id)");
            return rows(
                stream,
                "SELECT s.f.name, o.id FROM orders AS o LEFT JOIN side FOR SYSTEM_TIME AS OF o.pt AS s ON o.k = s.k");
          });
    }
  }

  private void changes() {
    report.equal(
        "a stream of changes: sums by group are upserts",
        "[+I[g0, 166833], +I[g1, 166167], +I[g2, 166500]]",
        () -> {
          StreamTableEnvironment sql = streaming();
          sql.executeSql(table("sums", "sums", "f ROW<total INT>", ""));
          sql.executeSql(numbers());
          sql.executeSql(
                  "INSERT INTO sums SELECT 'g' || CAST(m AS STRING), ROW(total) FROM (SELECT MOD(id, 3) AS m, SUM(id)"
                      + " AS total FROM numbers GROUP BY MOD(id, 3))")
              .await();
          return rows(sql, "SELECT k, f.total FROM sums");
        });
    report.equal(
        // The connector's deletes have no effect on rows that it wrote, on HBase, too.
        "a stream of changes: an update, and a delete, which has no effect",
        "[+I[g0, 1], +I[g1, 166167], +I[g2, 166500]]",
        () -> {
          StreamExecutionEnvironment environment = environment();
          StreamTableEnvironment sql = StreamTableEnvironment.create(environment);
          sql.executeSql(table("sums", "sums", "f ROW<total INT>", ""));
          DataStream<Row> changes =
              environment.fromCollection(
                  List.of(
                      Row.ofKind(RowKind.DELETE, "g1", Row.of(166167)),
                      Row.ofKind(RowKind.UPDATE_AFTER, "g0", Row.of(1))),
                  Types.ROW_NAMED(
                      new String[] {"k", "f"},
                      Types.STRING,
                      Types.ROW_NAMED(new String[] {"total"}, Types.INT)));
          sql.createTemporaryView(
              "changes",
              sql.fromChangelogStream(
                  changes,
                  Schema.newBuilder()
                      .column("k", DataTypes.STRING().notNull())
                      .column("f", DataTypes.ROW(DataTypes.FIELD("total", DataTypes.INT())))
                      .primaryKey("k")
                      .build(),
                  ChangelogMode.upsert()));
          sql.executeSql("INSERT INTO sums SELECT k, f FROM changes").await();
          return rows(sql, "SELECT k, f.total FROM sums");
        });
  }

  private static StreamExecutionEnvironment environment() {
    Configuration configuration = new Configuration();
    configuration.setString("parallelism.default", "1");
    return StreamExecutionEnvironment.getExecutionEnvironment(configuration);
  }

  private static StreamTableEnvironment streaming() {
    return StreamTableEnvironment.create(environment());
  }

  private void declare(TableEnvironment sql) {
    sql.executeSql(
        table(
            "t",
            "flink",
            "f ROW<name STRING, n INT, big BIGINT, x DOUBLE, over500 BOOLEAN>, g ROW<price"
                + " DECIMAL(12, 2), `day` DATE, stamp TIMESTAMP(3), bin BYTES, small SMALLINT>",
            "'sink.parallelism' = '2',"));
    sql.executeSql(table("copy", "copy", "f ROW<name STRING, n INT>", ""));
    sql.executeSql(numbers());
  }

  private static String numbers() {
    return "CREATE TABLE numbers (id INT) WITH ('connector' = 'datagen', 'fields.id.kind' = 'sequence',"
        + " 'fields.id.start' = '0', 'fields.id.end' = '"
        + (ROWS - 1)
        + "', 'number-of-rows' = '"
        + ROWS
        + "')";
  }

  private String table(String name, String table, String families, String options) {
    return "CREATE TABLE "
        + name
        + " (k STRING, "
        + families
        + ", PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'hbase-2.2', "
        + options
        + " 'table-name' = '"
        + table
        + "', 'zookeeper.quorum' = '"
        + quorum
        + "')";
  }

  private static String rows(TableEnvironment sql, String query) throws Exception {
    List<String> rows = new ArrayList<>();
    try (CloseableIterator<Row> result = sql.executeSql(query).collect()) {
      result.forEachRemaining(row -> rows.add(row.toString()));
    }
    Collections.sort(rows);
    return rows.toString();
  }
}
