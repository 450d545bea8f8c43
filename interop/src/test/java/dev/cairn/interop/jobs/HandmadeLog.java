package dev.cairn.interop.jobs;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.apache.hadoop.hbase.wal.WALProvider;

/** Writes a log with known entries, by HBase's own writer. */
final class HandmadeLog {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] G = Bytes.toBytes("g");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final int ENTRIES = 40;
  private static final long TIME = 1_000_000;

  private HandmadeLog() {}

  /**
   * Writes a log.
   *
   * @param file its last part, after a dot, is the time of its first entry, in milliseconds
   */
  static void write(Configuration configuration, Path file, TableName table) throws IOException {
    // Hadoop's local file system does not flush; the log is whole once it is closed.
    configuration.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    configuration.setBoolean("fs.file.impl.disable.cache", true);
    try (WALProvider.Writer writer =
        WALFactory.createWALWriter(
            FileSystem.getLocal(configuration),
            new org.apache.hadoop.fs.Path(file.toUri()),
            configuration)) {
      for (int i = 0; i < ENTRIES; i++) {
        byte[] row = JobSite.row(i);
        WALEdit edit = new WALEdit();
        edit.add(new KeyValue(row, F, Q, 10, Bytes.toBytes("v" + i)));
        edit.add(new KeyValue(row, G, Q, 10, Bytes.toBytes("w")));
        if (i % 5 == 0) {
          edit.add(new KeyValue(row, F, Q, 5, KeyValue.Type.DeleteColumn));
          edit.add(new KeyValue(JobSite.row(i + 1), G, null, 9, KeyValue.Type.DeleteFamily));
        }
        append(writer, table, i, edit);
        append(writer, TableName.valueOf("other"), i, edit);
      }
      writer.sync(false);
    }
  }

  private static void append(WALProvider.Writer writer, TableName table, int number, WALEdit edit)
      throws IOException {
    RegionInfo region = RegionInfoBuilder.newBuilder(table).setRegionId(1).build();
    WALKeyImpl key =
        new WALKeyImpl(
            region.getEncodedNameAsBytes(), table, number, TIME + number, new UUID(1, 1));
    writer.append(new WAL.Entry(key, edit));
  }
}
