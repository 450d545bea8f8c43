package dev.cairn.studies.series;

import dev.cairn.keys.KeyFormat;
import dev.cairn.keys.KeyPattern;
import dev.cairn.keys.KeyValues;
import dev.cairn.studies.Design;
import dev.cairn.studies.FactWriter;
import dev.cairn.studies.MutatorWriter;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Scans;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
 * @param latest how the latest samples of a host are found
 */
record SampleRows(String name, KeyFormat format, Latest latest) implements Design<Sample, Period> {
  /** How the latest samples of a host are found. */
  enum Latest {
    /** By a scan that ends early: keys begin with the latest times. */
    SCAN,
    /** By a reversed scan that ends early. */
    REVERSED_SCAN,
    /** By reading all samples of the host. */
    WHOLE_SCAN
  }

  private static final TableName TABLE = TableName.valueOf("samples");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] VALUE = Bytes.toBytes("v");
  private static final int REGIONS_MAX = 16;

  /** Creates a design with keys of a format, as text. */
  static SampleRows of(String name, String format, Latest latest) {
    return new SampleRows(name, KeyFormat.parse(format), latest);
  }

  @Override
  public String layout() {
    return format + ": f:v";
  }

  /** Designs with the same keys differ in their answers only. */
  @Override
  public Object storage() {
    return format;
  }

  @Override
  public List<NewTable> tables(long facts) {
    var descriptor =
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .setValue(KeyFormat.TABLE_ATTRIBUTE, format.toString())
            .build();
    return List.of(new NewTable(descriptor, List.of(splits())));
  }

  /** Regions are made for buckets and hosts. Those for times to come cannot be made. */
  private byte[][] splits() {
    if (format.salt().isPresent()) {
      return format.splits(Math.min(REGIONS_MAX, format.salt().orElseThrow().buckets()));
    }
    return timeIsFirst()
        ? new byte[0][]
        : format.splits(
            REGIONS_MAX, Sample.hosts().map(host -> format.range(host).get(0).start()).toList());
  }

  private boolean timeIsFirst() {
    return format.valueParts().get(0).name().equals("time");
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
    List<Sample> samples =
        new ArrayList<>(
            asked.latest() > 0 && latest != Latest.WHOLE_SCAN
                ? Scans.first(
                    connection,
                    TABLE,
                    pattern(asked),
                    latest == Latest.REVERSED_SCAN,
                    asked.latest(),
                    this::sample)
                : Scans.list(connection, TABLE, pattern(asked), this::sample));
    return asked.sorted(samples.stream());
  }

  private KeyPattern pattern(Period asked) {
    KeyPattern time = format.pattern().between("time", asked.from(), asked.to());
    if (asked.host().isPresent()) {
      return time.is("host", asked.host().orElseThrow());
    }
    // Without the hosts, a key that begins with them could only be found by reading all.
    return timeIsFirst() ? time : time.in("host", Sample.hosts().toArray());
  }

  private Sample sample(Result row) {
    KeyValues key = format.decode(row.getRow());
    return new Sample(
        key.getString("host"), key.getInstant("time"), Bytes.toLong(row.getValue(FAMILY, VALUE)));
  }
}
