package dev.cairn.interop.systems.beam;

import dev.cairn.interop.systems.check.Report;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.hbase.HBaseIO;
import org.apache.beam.sdk.io.range.ByteKey;
import org.apache.beam.sdk.io.range.ByteKeyRange;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.TypeDescriptor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;

/** What a user of Beam's HBaseIO does: pipelines that write and read, with ranges and filters. */
public final class Check {
  private static final int ROWS = 1000;
  private static final AtomicLong counted = new AtomicLong();

  private final Report report = new Report();
  private final Configuration configuration = HBaseConfiguration.create();

  /** Arguments: the site's file, a folder for files. */
  public static void main(String[] arguments) {
    Check check = new Check();
    check.all();
    check.report.end();
  }

  private void all() {
    report.run(
        "writes 1000 rows",
        () -> {
          List<Mutation> puts = new ArrayList<>();
          for (int i = 0; i < ROWS; i++) {
            puts.add(new Put(row(i)).addColumn(bytes("f"), bytes("n"), bytes("" + i % 10)));
          }
          write(puts);
        });
    report.equal("reads all rows, split by regions", 1000L, () -> count(read()));
    report.equal(
        "reads a range of keys",
        150L,
        () -> count(read().withKeyRange(ByteKeyRange.of(key("row0200"), key("row0350")))));
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(bytes("f"), bytes("n"), CompareOperator.EQUAL, bytes("7"));
    report.equal("reads with a filter", 100L, () -> count(read().withFilter(filter)));
    report.equal(
        "reads with a scan of versions and a range",
        50L,
        () ->
            count(
                read()
                    .withScan(
                        new Scan()
                            .withStartRow(row(500))
                            .withStopRow(row(550))
                            .readAllVersions())));
    report.equal(
        "reads several queries (readAll)",
        1100L,
        () ->
            count(
                new PTransform<PBegin, PCollection<Result>>() {
                  @Override
                  public PCollection<Result> expand(PBegin begin) {
                    return begin
                        .apply(Create.of(read(), read().withFilter(filter)))
                        .apply(HBaseIO.readAll());
                  }
                }));
    report.run(
        "deletes half of the rows",
        () -> {
          List<Mutation> deletes = new ArrayList<>();
          for (int i = 0; i < ROWS; i += 2) {
            deletes.add(new Delete(row(i)));
          }
          write(deletes);
        });
    report.equal("reads the others", 500L, () -> count(read()));
  }

  /** A new one each time: Beam changes the scan of an existing one. */
  private HBaseIO.Read read() {
    return HBaseIO.read().withConfiguration(configuration).withTableId("beam");
  }

  private void write(List<Mutation> mutations) {
    Pipeline pipeline = Pipeline.create(PipelineOptionsFactory.create());
    pipeline
        .apply(Create.of(mutations).withType(TypeDescriptor.of(Mutation.class)))
        .apply(HBaseIO.write().withConfiguration(configuration).withTableId("beam"));
    pipeline.run().waitUntilFinish();
  }

  private static long count(PTransform<? super PBegin, PCollection<Result>> read) {
    counted.set(0);
    Pipeline pipeline = Pipeline.create(PipelineOptionsFactory.create());
    pipeline.apply(read).apply(Count.globally()).apply(ParDo.of(new Keep()));
    pipeline.run().waitUntilFinish();
    return counted.get();
  }

  private static byte[] row(int i) {
    return bytes(String.format("row%04d", i));
  }

  private static ByteKey key(String row) {
    return ByteKey.copyFrom(bytes(row));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Keeps the count: the runner is in this JVM. */
  static final class Keep extends DoFn<Long, Void> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void process(@Element Long count) {
      counted.addAndGet(count);
    }
  }
}
