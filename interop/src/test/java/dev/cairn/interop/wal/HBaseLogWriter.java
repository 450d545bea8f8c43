package dev.cairn.interop.wal;

import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.regionserver.MultiVersionConcurrencyControl;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALKeyImpl;

/** The program of a {@link LogWriterProcess} that writes Apache HBase's log. */
final class HBaseLogWriter {
  private static final int ENTRIES_PER_FILE = 400;

  private HBaseLogWriter() {}

  /** Writes until it is killed. */
  public static void main(String[] arguments) throws IOException {
    Configuration configuration = HBaseLog.configuration(LogWriterProcess.compression(arguments));
    String root = Path.of(arguments[0]).toUri().toString();
    configuration.set("hbase.rootdir", root);
    configuration.set("hbase.wal.dir", root);
    // As HBase does for a local root: without Hadoop's checksums, which are flushed by the block.
    configuration.set("fs.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
    configuration.set("hbase.wal.provider", arguments[5]);
    WALFactory factory = new WALFactory(configuration, WalKillTest.SERVER);
    Map<String, RegionInfo> regions = new ConcurrentHashMap<>();
    // One for all, so that numbers follow each other over regions, too.
    MultiVersionConcurrencyControl mvcc = new MultiVersionConcurrencyControl(0);
    LogEntries entries = WalKillTest.entries(Long.parseLong(arguments[1]));
    while (true) {
      WalEntry entry = entries.next();
      RegionInfo region = regions.computeIfAbsent(entry.region(), HBaseLogWriter::region);
      WAL wal = factory.getWAL(region);
      WALKeyImpl key =
          new WALKeyImpl(
              Bytes.toBytes(entry.region()),
              TableName.valueOf(entry.table().toString()),
              entry.writeTimeMillis(),
              entry.clusterIds(),
              HConstants.NO_NONCE,
              HConstants.NO_NONCE,
              mvcc);
      entry.attributes().toMap().forEach(key::addExtendedAttribute);
      long txid = wal.appendData(region, key, HBaseLog.edit(entry));
      wal.sync(txid);
      mvcc.complete(key.getWriteEntry());
      LogWriterProcess.acknowledge(entry.sequence());
      if (entry.sequence() % ENTRIES_PER_FILE == 0) {
        wal.rollWriter();
      }
    }
  }

  /** Which of several logs it goes to depends on its name. */
  private static RegionInfo region(String name) {
    return RegionInfoBuilder.newBuilder(TableName.valueOf("space:table"))
        .setStartKey(Bytes.toBytes(name))
        .build();
  }
}
