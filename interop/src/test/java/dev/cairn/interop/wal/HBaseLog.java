package dev.cairn.interop.wal;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.wal.file.WalCompression;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALStreamReader;

/** Apache HBase's side of a log: its settings, its reader, and its form of an entry's cells. */
final class HBaseLog {
  private HBaseLog() {}

  /** Returns the settings under which HBase writes logs with {@code compression}. */
  static Configuration configuration(WalCompression compression) {
    Configuration configuration = new Configuration(false);
    // Local files cannot be flushed through Hadoop. The writer asks the settings of a file system
    // that it gets itself, which must not be one that another test has left in Hadoop's cache.
    configuration.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    configuration.setBoolean("fs.file.impl.disable.cache", true);
    configuration.setBoolean("hbase.regionserver.wal.enablecompression", compression.dictionary());
    configuration.setBoolean("hbase.regionserver.wal.tags.enablecompression", compression.tags());
    configuration.setBoolean(
        "hbase.regionserver.wal.value.enablecompression", compression.values().isPresent());
    compression
        .values()
        .ifPresent(
            values ->
                configuration.set(
                    "hbase.regionserver.wal.value.compression.type", values.name().toLowerCase()));
    return configuration;
  }

  static org.apache.hadoop.fs.Path path(Path file) {
    return new org.apache.hadoop.fs.Path(file.toUri());
  }

  static WALEdit edit(WalEntry entry) {
    WALEdit edit = new WALEdit();
    CellBuffer cells = entry.cells();
    for (int i = 0; i < cells.size(); i++) {
      edit.add(new KeyValue(cells.bytes(i), cells.offset(i), cells.length(i)));
    }
    return edit;
  }

  /**
   * Returns what HBase's reader finds in a file. It ends a file without trailer with an exception,
   * its own as well.
   *
   * @param closed the file has a trailer
   */
  static List<String> readAll(Path file, boolean closed) throws IOException {
    Configuration configuration = configuration(WalCompression.NONE);
    List<String> found = new ArrayList<>();
    try (FileSystem local = FileSystem.newInstanceLocal(configuration);
        WALStreamReader reader = WALFactory.createStreamReader(local, path(file), configuration)) {
      for (WAL.Entry entry = reader.next(); entry != null; entry = reader.next()) {
        found.add(text(entry));
      }
    } catch (EOFException e) {
      if (closed) {
        throw e;
      }
    }
    return found;
  }

  private static String text(WAL.Entry entry) {
    StringBuilder text = new StringBuilder();
    text.append(entry.getKey().getTableName());
    text.append(' ').append(Bytes.utf8(entry.getKey().getEncodedRegionName()));
    text.append(' ').append(entry.getKey().getSequenceId());
    text.append(' ').append(entry.getKey().getWriteTime());
    text.append(' ').append(entry.getKey().getClusterIds());
    text.append(LogEntries.text(entry.getKey().getExtendedAttributes()));
    for (Cell cell : entry.getEdit().getCells()) {
      byte[] bytes = KeyValueUtil.copyToNewByteArray(cell);
      text.append(' ').append(LogEntries.text(bytes, 0, bytes.length));
    }
    return text.toString();
  }
}
