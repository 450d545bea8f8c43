package dev.cairn.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.Wal.Safety;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalEnd;
import dev.cairn.engine.wal.WalEntry;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.WalReader;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.apache.hadoop.hbase.wal.WALProvider;
import org.apache.hadoop.hbase.wal.WALStreamReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs that Cairn writes are read by Apache HBase's own reader, and the other way round. */
class WalInteropTest {
  private static final String REGION = "0123456789abcdef0123456789abcdef";
  private static final int ENTRIES = 200;

  private final Configuration configuration = new Configuration(false);

  @TempDir Path directory;

  @Test
  void hbaseReadsOurLogWhetherOrNotItWasClosed() throws IOException {
    LocalStorage storage = new LocalStorage(directory);
    WalConfig config =
        new WalConfig("WALs/server", "oldWALs", "server", Safety.SYNCED, 1 << 20, 32);
    GroupCommitWal wal =
        GroupCommitWal.open(storage, config, Clock.SYSTEM, Thread::new, WalListener.NONE);
    List<String> expected = new ArrayList<>();
    for (int i = 1; i <= ENTRIES; i++) {
      CellBuffer cells = cells(i);
      wal.append(new WalEntry(REGION, TableName.parse("space:table"), i, 1000 + i, cells));
      expected.add("space:table " + REGION + " " + i + " " + (1000 + i) + " " + printable(cells));
    }
    wal.sync(wal.lastTicket());
    String path = wal.currentPath();
    assertThat(readWithHBase(path, false)).isEqualTo(expected);
    wal.close();
    assertThat(readWithHBase(path, true)).isEqualTo(expected);
  }

  @Test
  void weReadHBasesLog() throws IOException {
    List<String> expected = new ArrayList<>();
    try (WALProvider.Writer writer =
        WALFactory.createWALWriter(fileSystem(), hadoopPath("server.1"), configuration)) {
      for (int i = 1; i <= ENTRIES; i++) {
        WALKeyImpl key =
            new WALKeyImpl(
                Bytes.utf8(REGION),
                org.apache.hadoop.hbase.TableName.valueOf("space:table"),
                i,
                1000 + i,
                new UUID(1, 2));
        WALEdit edit = new WALEdit();
        CellBuffer cells = cells(i);
        for (int c = 0; c < cells.size(); c++) {
          edit.add(new KeyValue(cells.bytes(), cells.offset(c), cells.length(c)));
        }
        writer.append(new WAL.Entry(key, edit));
        expected.add("space:table " + REGION + " " + i + " " + (1000 + i) + " " + printable(cells));
      }
      writer.sync(false);
    }
    List<String> found = new ArrayList<>();
    try (WalReader reader = WalReader.open(new LocalStorage(directory), "server.1")) {
      while (reader.next()) {
        WalEntry entry = reader.entry();
        found.add(
            entry.table()
                + " "
                + entry.region()
                + " "
                + entry.sequence()
                + " "
                + entry.writeTimeMillis()
                + " "
                + printable(entry.cells()));
      }
      assertThat(reader.end().kind()).isEqualTo(WalEnd.Kind.CLOSED);
    }
    assertThat(found).isEqualTo(expected);
  }

  private List<String> readWithHBase(String path, boolean closed) throws IOException {
    List<String> found = new ArrayList<>();
    try (WALStreamReader reader =
        WALFactory.createStreamReader(fileSystem(), hadoopPath(path), configuration)) {
      for (WAL.Entry entry = reader.next(); entry != null; entry = reader.next()) {
        StringBuilder cells = new StringBuilder();
        for (Cell cell : entry.getEdit().getCells()) {
          byte[] bytes = KeyValueUtil.copyToNewByteArray(cell);
          cells.append(Bytes.toStringBinary(bytes)).append(';');
        }
        found.add(
            entry.getKey().getTableName()
                + " "
                + Bytes.utf8(entry.getKey().getEncodedRegionName())
                + " "
                + entry.getKey().getSequenceId()
                + " "
                + entry.getKey().getWriteTime()
                + " "
                + cells);
      }
    } catch (EOFException e) {
      // How HBase's reader ends a file without trailer, its own as well.
      assertThat(closed).as("closed in good order").isFalse();
    }
    return found;
  }

  private FileSystem fileSystem() throws IOException {
    // Local files cannot be flushed through Hadoop. The writer asks the settings of a file system
    // that it gets itself,
    // which must not be one that another test has left in Hadoop's cache.
    configuration.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    configuration.setBoolean("fs.file.impl.disable.cache", true);
    return FileSystem.newInstanceLocal(configuration);
  }

  private org.apache.hadoop.fs.Path hadoopPath(String path) {
    return new org.apache.hadoop.fs.Path(directory.resolve(path).toUri());
  }

  private static CellBuffer cells(int i) {
    CellBuffer cells = new CellBuffer();
    for (int c = 0; c <= i % 3; c++) {
      cells.add(
          Bytes.utf8("row" + i),
          Bytes.utf8("f"),
          Bytes.utf8("q" + c),
          i,
          CellType.PUT.code(),
          new byte[i * 10],
          c == 2 ? new byte[] {0, 2, 9, 9} : Bytes.EMPTY);
    }
    return cells;
  }

  private static String printable(CellBuffer cells) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      text.append(Bytes.toStringBinary(cells.bytes(), cells.offset(i), cells.length(i)))
          .append(';');
    }
    return text.toString();
  }
}
