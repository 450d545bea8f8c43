package dev.cairn.studies.series;

import dev.cairn.keys.KeyFormat;
import dev.cairn.keys.KeyPattern;
import dev.cairn.keys.KeyValues;
import dev.cairn.keys.client.BucketScan;
import dev.cairn.keys.client.BucketScanner;
import dev.cairn.studies.Design;
import dev.cairn.studies.FactWriter;
import dev.cairn.studies.MutatorWriter;
import dev.cairn.studies.NewTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A row for each sample.
 *
 * @param name of the design
 * @param format of the keys, with the parts {@code host} and {@code time}
 */
record SampleRows(String name, KeyFormat format) implements Design<Sample, Period> {
  private static final TableName TABLE = TableName.valueOf("samples");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] VALUE = Bytes.toBytes("v");
  private static final int REGIONS_MAX = 16;

  /** Creates a design with keys of a format, as text. */
  static SampleRows of(String name, String format) {
    return new SampleRows(name, KeyFormat.parse(format));
  }

  @Override
  public String layout() {
    return format + ": f:v";
  }

  @Override
  public List<NewTable> tables(long facts) {
    var descriptor =
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .setValue(KeyFormat.TABLE_ATTRIBUTE, format.toString())
            .build();
    return List.of(
        format.salt().isEmpty()
            ? new NewTable(descriptor)
            : new NewTable(descriptor, List.of(format.splits(REGIONS_MAX))));
  }

  @Override
  public FactWriter<Sample> writer(Connection connection) throws IOException {
    return new MutatorWriter<>(
        connection,
        TABLE,
        sample ->
            new Put(format.encode(Map.of("host", sample.host(), "time", sample.time())))
                .addColumn(FAMILY, VALUE, Bytes.toBytes(sample.value())));
  }

  @Override
  public List<Sample> answer(Connection connection, Period asked) throws IOException {
    KeyPattern time = format.pattern().between("time", asked.from(), asked.to());
    KeyPattern pattern = asked.host().map(host -> time.is("host", host)).orElse(time);
    List<Sample> samples = new ArrayList<>();
    try (BucketScanner rows =
        BucketScan.of(pattern).unordered().open(connection, TABLE, ForkJoinPool.commonPool())) {
      for (Result row : rows) {
        KeyValues key = format.decode(row.getRow());
        samples.add(
            new Sample(
                key.getString("host"),
                key.getInstant("time"),
                Bytes.toLong(row.getValue(FAMILY, VALUE))));
      }
    }
    samples.sort(Sample.ORDER);
    return samples;
  }
}
