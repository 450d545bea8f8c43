package dev.cairn.interop.wal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.file.WalCompression;
import dev.cairn.engine.wal.file.WalEnd;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.engine.wal.file.WalReader;
import dev.cairn.engine.wal.file.WalValueCompression;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.AsyncFSWALProvider;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.apache.hadoop.hbase.wal.WALProvider;
import org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Logs that Cairn writes are read by Apache HBase's own reader, and the other way round. */
class WalInteropTest {
  private static final List<String> REGIONS =
      List.of("0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210");
  private static final int ENTRIES = 2_000;
  private static final int ROWS = 500;

  @TempDir Path directory;

  /** All that HBase's artifacts can do without a native library. */
  static List<WalCompression> compressions() {
    return List.of(
        WalCompression.NONE,
        new WalCompression(true, false, Optional.empty()),
        new WalCompression(true, true, Optional.empty()),
        new WalCompression(true, true, Optional.of(WalValueCompression.GZ)),
        new WalCompression(true, false, Optional.of(WalValueCompression.SNAPPY)),
        new WalCompression(true, true, Optional.of(WalValueCompression.NONE)));
  }

  @ParameterizedTest
  @MethodSource("compressions")
  void hbaseReadsOurLogWhetherOrNotItWasClosed(WalCompression compression) throws IOException {
    hbaseReadsOurLog(compression, new LogEntries(1, REGIONS, ROWS).next(ENTRIES));
  }

  private void hbaseReadsOurLog(WalCompression compression, List<WalEntry> entries)
      throws IOException {
    LocalStorage storage = new LocalStorage(directory);
    WalConfig config =
        new WalConfig("WALs/server", "oldWALs", "server", SyncLevel.FLUSHED, 1 << 30, 32)
            .withCompression(compression);
    GroupCommitWal wal =
        GroupCommitWal.open(storage, config, Clock.SYSTEM, Thread::new, WalListener.NONE);
    for (WalEntry entry : entries) {
      wal.append(entry);
    }
    wal.sync(wal.lastTxid());
    Path file = directory.resolve(wal.currentPath());
    assertThat(HBaseLog.readAll(file, false)).isEqualTo(LogEntries.texts(entries));
    wal.close();
    assertThat(HBaseLog.readAll(file, true)).isEqualTo(LogEntries.texts(entries));
  }

  @ParameterizedTest
  @MethodSource("compressions")
  void weReadWhatHBasesWriterWrites(WalCompression compression) throws IOException {
    weReadHBasesLog(compression, new LogEntries(2, REGIONS, ROWS).next(ENTRIES));
  }

  private void weReadHBasesLog(WalCompression compression, List<WalEntry> entries)
      throws IOException {
    Configuration configuration = HBaseLog.configuration(compression);
    try (FileSystem local = FileSystem.newInstanceLocal(configuration);
        WALProvider.Writer writer =
            WALFactory.createWALWriter(
                local, HBaseLog.path(directory.resolve("server.1")), configuration)) {
      for (WalEntry entry : entries) {
        writer.append(new WAL.Entry(key(entry), HBaseLog.edit(entry)));
      }
      writer.sync(false);
    }
    assertRead(compression, entries);
  }

  @ParameterizedTest
  @MethodSource("compressions")
  void weReadWhatHBasesAsynchronousWriterWrites(WalCompression compression) throws Exception {
    Configuration configuration = HBaseLog.configuration(compression);
    List<WalEntry> entries = new LogEntries(3, REGIONS, ROWS).next(ENTRIES);
    NioEventLoopGroup group = new NioEventLoopGroup(1);
    try (FileSystem local = FileSystem.newInstanceLocal(configuration);
        AsyncFSWALProvider.AsyncWriter writer =
            AsyncFSWALProvider.createAsyncWriter(
                configuration,
                local,
                HBaseLog.path(directory.resolve("server.1")),
                false,
                group,
                NioSocketChannel.class)) {
      for (WalEntry entry : entries) {
        writer.append(new WAL.Entry(key(entry), HBaseLog.edit(entry)));
      }
      writer.sync(false).get();
    } finally {
      group.shutdownGracefully();
    }
    assertRead(compression, entries);
  }

  /** What is used longest ago gives way, and both sides have to agree which that is. */
  @Test
  void moreRowsThanTheDictionaryHoldsAreReadOnBothSides() throws IOException {
    WalCompression compression = new WalCompression(true, true, Optional.empty());
    List<WalEntry> entries = new ArrayList<>();
    LogEntries source = new LogEntries(4, REGIONS, 60_000);
    for (int i = 0; i < 25_000; i++) {
      entries.add(source.next());
    }
    hbaseReadsOurLog(compression, entries);
    weReadHBasesLog(compression, entries);
  }

  /** HBase's logs have no checksums: the cells may change, but none may be missing unnoticed. */
  @ParameterizedTest
  @MethodSource("compressions")
  void aFlippedBitInHBasesLogNeverPassesForItsEndWhileAnEntryFollows(WalCompression compression)
      throws IOException {
    List<WalEntry> entries = new LogEntries(5, REGIONS, 3).next(6);
    Configuration configuration = HBaseLog.configuration(compression);
    Path log = directory.resolve("server.1");
    try (FileSystem local = FileSystem.newInstanceLocal(configuration);
        WALProvider.Writer writer =
            WALFactory.createWALWriter(local, HBaseLog.path(log), configuration)) {
      for (WalEntry entry : entries) {
        writer.append(new WAL.Entry(key(entry), HBaseLog.edit(entry)));
      }
    }
    byte[] closed = Files.readAllBytes(log);
    // Without its trailer, of four bytes of length and four of magic.
    byte[] open = Arrays.copyOf(closed, closed.length - 8);
    MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
    write(storage, open);
    long last = 0;
    try (WalReader reader = WalReader.open(storage, "log")) {
      while (reader.next()) {
        last = reader.entryOffset();
      }
      assertThat(reader.end().kind()).isEqualTo(WalEnd.Kind.UNCLOSED);
    }
    for (int at = 0; at < last; at++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] flipped = open.clone();
        flipped[at] ^= (byte) (1 << bit);
        write(storage, flipped);
        int count = 0;
        try (WalReader reader = WalReader.open(storage, "log")) {
          while (reader.next()) {
            count++;
          }
          assertThat(count).as("byte %d, bit %d: %s", at, bit, reader.end()).isEqualTo(6);
        } catch (IOException noticed) {
          assertThat(noticed).hasMessageContaining("log");
        }
      }
    }
  }

  private static void write(MemoryStorage storage, byte[] bytes) throws IOException {
    storage.delete("log");
    storage.writeAll("log", bytes);
  }

  private void assertRead(WalCompression compression, List<WalEntry> entries) throws IOException {
    try (WalReader reader = WalReader.open(new LocalStorage(directory), "server.1")) {
      assertThat(LogEntries.readAll(reader)).isEqualTo(LogEntries.texts(entries));
      assertThat(reader.end().kind()).isEqualTo(WalEnd.Kind.CLOSED);
      assertThat(reader.info().compression()).isEqualTo(compression);
      assertThat(reader.info().writerClass()).isEqualTo("ProtobufLogWriter");
    }
  }

  /** With a replication scope, which also takes a number in the dictionary of families. */
  private static WALKeyImpl key(WalEntry entry) {
    NavigableMap<byte[], Integer> scopes = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    scopes.put(Bytes.toBytes("family-" + entry.sequence() % 200), 1);
    WALKeyImpl key =
        new WALKeyImpl(
            Bytes.toBytes(entry.region()),
            org.apache.hadoop.hbase.TableName.valueOf(entry.table().toString()),
            entry.sequence(),
            entry.writeTimeMillis(),
            entry.clusterIds(),
            7,
            8,
            null,
            scopes);
    entry.attributes().toMap().forEach(key::addExtendedAttribute);
    return key;
  }
}
