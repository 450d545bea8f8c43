package dev.cairn.interop.systems.spark;

import dev.cairn.interop.systems.check.Report;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.spark.FamilyHFileWriteOptions;
import org.apache.hadoop.hbase.spark.JavaHBaseContext;
import org.apache.hadoop.hbase.spark.KeyFamilyQualifier;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * What a user of Spark does with HBase's connector: data frames, RDDs, bulk puts, gets, deletes and
 * loads; and HBase's own input format.
 */
public final class Check {
  private static final int ROWS = 1000;
  private static final TableName TABLE = TableName.valueOf("spark");
  private static final byte[] FAMILY = Bytes.toBytes("f");

  private final Report report = new Report();
  private final Configuration configuration = HBaseConfiguration.create();
  private final Path work;
  private final SparkSession session;
  private final JavaSparkContext spark;
  private final JavaHBaseContext hbase;

  private Check(Path work) {
    this.work = work;
    session =
        SparkSession.builder()
            .config(
                new SparkConf()
                    .setMaster("local[2]")
                    .setAppName("check")
                    .set("spark.ui.enabled", "false")
                    .set("spark.driver.host", "127.0.0.1")
                    .set("spark.driver.bindAddress", "127.0.0.1")
                    .set("spark.sql.shuffle.partitions", "2")
                    // Otherwise Spark skips regions without store files.
                    .set("spark.hadoopRDD.ignoreEmptySplits", "false"))
            .getOrCreate();
    spark = new JavaSparkContext(session.sparkContext());
    hbase = new JavaHBaseContext(spark, configuration);
  }

  /** Arguments: the site's file, a folder for files. */
  public static void main(String[] arguments) {
    Check check = new Check(Path.of(arguments[1]));
    check.frames();
    check.sets();
    check.report.end();
  }

  private void frames() {
    report.run(
        "a data frame of 1000 rows is written",
        () -> {
          List<Row> rows = new ArrayList<>();
          for (int i = 0; i < ROWS; i++) {
            rows.add(
                RowFactory.create(
                    row(i), "name" + i, i % 10, i * 10_000_000_000L, i / 4.0, i % 2 == 0));
          }
          StructType type =
              new StructType()
                  .add("id", DataTypes.StringType)
                  .add("name", DataTypes.StringType)
                  .add("n", DataTypes.IntegerType)
                  .add("big", DataTypes.LongType)
                  .add("x", DataTypes.DoubleType)
                  .add("even", DataTypes.BooleanType);
          options(
                  session
                      .createDataFrame(rows, type)
                      .write()
                      .format("org.apache.hadoop.hbase.spark"))
              .save();
        });
    report.run("a data frame is read", () -> frame().createOrReplaceTempView("t"));
    report.equal("counts rows", "[[1000]]", () -> sql("SELECT COUNT(*) FROM t"));
    report.equal(
        "a row by its key",
        "[[row0042,name42,2,420000000000,10.5,true]]",
        () -> sql("SELECT id, name, n, big, x, even FROM t WHERE id = 'row0042'"));
    report.equal(
        "a range of keys",
        "[[51]]",
        () -> sql("SELECT COUNT(*) FROM t WHERE id >= 'row0480' AND id <= 'row0530'"));
    report.equal(
        "a condition on a column", "[[100]]", () -> sql("SELECT COUNT(*) FROM t WHERE n = 7"));
    report.equal(
        "conditions with AND and OR",
        "[[35]]",
        () ->
            sql(
                "SELECT COUNT(*) FROM t WHERE (n < 3 AND big >= 9000000000000) OR name = 'name5'"
                    + " OR (x > 247 AND n > 6)"));
    report.equal(
        "sums by group",
        "[[0,49500], [1,49600], [2,49700]]",
        () ->
            sql(
                "SELECT n, SUM(CAST(big / 10000000000 AS BIGINT)) FROM t WHERE n < 3 GROUP BY n ORDER BY n"));
    report.equal(
        "prefixes of names",
        "[[11]]",
        () -> sql("SELECT COUNT(*) FROM t WHERE name LIKE 'name99%'"));
  }

  private void sets() {
    report.equal(
        "an RDD of HBase's TableInputFormat",
        1000L,
        () -> {
          Configuration input = new Configuration(configuration);
          input.set(TableInputFormat.INPUT_TABLE, TABLE.getNameAsString());
          return spark
              .newAPIHadoopRDD(
                  input, TableInputFormat.class, ImmutableBytesWritable.class, Result.class)
              .count();
        });
    report.equal(
        "an RDD of a scan with a filter",
        100L,
        () ->
            hbase
                .hbaseRDD(TABLE, new Scan().setFilter(new PrefixFilter(Bytes.toBytes("row02"))))
                .count());
    report.equal(
        "bulk put of 500 rows",
        1500L,
        () -> {
          hbase.bulkPut(
              spark.parallelize(numbers(ROWS, ROWS + 500), 4),
              TABLE,
              i ->
                  new Put(Bytes.toBytes(row(i)))
                      .addColumn(FAMILY, Bytes.toBytes("name"), Bytes.toBytes("new")));
          return hbase.hbaseRDD(TABLE, new Scan()).count();
        });
    report.equal(
        "bulk get",
        1500L,
        () ->
            hbase
                .bulkGet(
                    TABLE,
                    100,
                    spark.parallelize(numbers(0, 2000), 4),
                    i -> new Get(Bytes.toBytes(row(i))),
                    result -> !result.isEmpty())
                .filter(found -> found)
                .count());
    report.equal(
        "bulk delete",
        1000L,
        () -> {
          hbase.bulkDelete(
              spark.parallelize(numbers(ROWS, ROWS + 500), 4),
              TABLE,
              i -> new Delete(Bytes.toBytes(row(i))),
              100);
          return hbase.hbaseRDD(TABLE, new Scan()).count();
        });
    report.equal(
        "bulk load of files that Spark writes",
        1000L,
        () -> {
          String folder = work.resolve("files").toUri().toString();
          TableName loaded = TableName.valueOf("loaded");
          hbase.bulkLoad(
              spark.parallelize(numbers(0, ROWS), 4),
              loaded,
              i ->
                  new Pair<>(
                      new KeyFamilyQualifier(Bytes.toBytes(row(i)), FAMILY, Bytes.toBytes("n")),
                      Bytes.toBytes(i)),
              folder,
              new HashMap<byte[], FamilyHFileWriteOptions>(),
              false,
              Long.MAX_VALUE);
          BulkLoadHFiles.create(configuration)
              .bulkLoad(loaded, new org.apache.hadoop.fs.Path(folder));
          return hbase.hbaseRDD(loaded, new Scan()).count();
        });
  }

  private String sql(String query) {
    return session.sql(query).collectAsList().toString();
  }

  private Dataset<Row> frame() {
    return session
        .read()
        .format("org.apache.hadoop.hbase.spark")
        .option("hbase.columns.mapping", MAPPING)
        .option("hbase.table", TABLE.getNameAsString())
        // The connector's filter for the server needs an older library of protocol buffers than
        // HBase 2.6.4 has.
        .option("hbase.spark.pushdown.columnfilter", false)
        .load();
  }

  private static <T> DataFrameWriter<T> options(DataFrameWriter<T> writer) {
    return writer
        .option("hbase.columns.mapping", MAPPING)
        .option("hbase.table", TABLE.getNameAsString());
  }

  private static final String MAPPING =
      "id STRING :key, name STRING f:name, n INT f:n, big LONG f:big, x DOUBLE f:x, even BOOLEAN"
          + " f:even";

  private static List<Integer> numbers(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  private static String row(int i) {
    return String.format("row%04d", i);
  }
}
