package dev.cairn.engine.changes;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.file.Nonce;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.engine.wal.split.LogSplitter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Servers with logs, and a table of 64 rows whose regions move between them, split and merge.
 * Remembers what was written.
 */
final class ChangeHistory implements AutoCloseable {
  static final TableName TABLE = TableName.parse("t");
  static final TableName OTHER = TableName.parse("other");
  private static final int ROWS = 64;
  private static final int SERVERS = 3;

  /** The values written to each row, in order. */
  final Map<Integer, List<String>> written = new HashMap<>();

  private final Storage storage;
  private final RandomGenerator random;
  private final List<Server> servers = new ArrayList<>();
  private final List<Region> regions = new ArrayList<>();
  private int names;
  private long time = 1_700_000_000_000L;

  /** A server whose clock is late or early. */
  private record Server(String name, GroupCommitWal wal, long clockOffset) {}

  private static final class Region {
    final String name;
    final int from;
    final int to;
    long sequence;
    Server server;

    Region(String name, int from, int to, long sequence, Server server) {
      this.name = name;
      this.from = from;
      this.to = to;
      this.sequence = sequence;
      this.server = server;
    }
  }

  ChangeHistory(Storage storage, RandomGenerator random) throws IOException {
    this.storage = storage;
    this.random = random;
    for (int i = 0; i < SERVERS; i++) {
      servers.add(start());
    }
    for (int i = 0; i < 4; i++) {
      regions.add(region(i * 16, i * 16 + 16, 0, servers.get(i % SERVERS)));
    }
  }

  private Server start() throws IOException {
    String name = "host," + 16020 + "," + ++names;
    storage.createDirectories("WALs/" + name);
    WalConfig config =
        new WalConfig("WALs/" + name, "oldWALs", name, SyncLevel.SYNCED, 1 << 20, 32);
    return new Server(
        name,
        GroupCommitWal.open(storage, config, Clock.SYSTEM, Thread::new, WalListener.NONE),
        random.nextInt(-14_000, 14_000));
  }

  private Region region(int from, int to, long sequence, Server server) throws IOException {
    Region region = new Region("%032x".formatted(++names), from, to, sequence, server);
    storage.createDirectories("data/default/t/" + region.name);
    return region;
  }

  /** Does something that a cluster does. */
  void step() throws IOException {
    time += random.nextInt(50);
    switch (random.nextInt(20)) {
      case 0 -> any(regions).server = any(servers);
      case 1 -> split(random.nextInt(regions.size()));
      case 2 -> merge(random.nextInt(regions.size()));
      case 3 -> any(servers).wal.roll();
      case 4 -> flush(any(regions));
      case 5 -> kill(random.nextInt(servers.size()));
      default -> write(any(regions));
    }
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private void write(Region region) throws IOException {
    int row = random.nextInt(region.from, region.to);
    region.sequence += 1 + random.nextInt(3);
    String value = region.name + ":" + region.sequence;
    append(region, TABLE, row, value);
    written.computeIfAbsent(row, any -> new ArrayList<>()).add(value);
    if (random.nextInt(5) == 0) {
      append(new Region("f".repeat(32), 0, ROWS, 5, region.server), OTHER, row, "other");
    }
  }

  private void append(Region region, TableName table, int row, String value) throws IOException {
    CellBuffer cells = new CellBuffer();
    cells.add(
        Bytes.utf8("row" + row),
        Bytes.utf8("f"),
        Bytes.utf8("q"),
        time,
        CellType.PUT.code(),
        Bytes.utf8(value),
        Bytes.EMPTY);
    GroupCommitWal wal = region.server.wal;
    wal.sync(
        wal.append(
            new WalEntry(
                region.name,
                table,
                region.sequence,
                time + region.server.clockOffset,
                cells,
                Nonce.NONE,
                clusterIds(region.sequence))));
  }

  /** Returns the ids of the clusters that a change has passed; every third has some. */
  static List<UUID> clusterIds(long sequence) {
    return sequence % 3 == 0 ? List.of(new UUID(1, sequence), new UUID(-2, 7)) : List.of();
  }

  private void flush(Region region) {
    servers.forEach(server -> server.wal.flushed(region.name, region.sequence));
    servers.forEach(server -> server.wal.flushed("f".repeat(32), 5));
  }

  private void split(int index) throws IOException {
    Region parent = regions.get(index);
    if (parent.to - parent.from < 2) {
      return;
    }
    int middle = random.nextInt(parent.from + 1, parent.to);
    regions.remove(index);
    regions.add(region(parent.from, middle, parent.sequence, any(servers)));
    regions.add(region(middle, parent.to, parent.sequence, any(servers)));
    flush(parent);
  }

  private void merge(int index) throws IOException {
    Region left = regions.get(index);
    for (Region right : regions) {
      if (right.from == left.to) {
        regions.remove(left);
        regions.remove(right);
        long sequence = Math.max(left.sequence, right.sequence);
        regions.add(region(left.from, right.to, sequence, any(servers)));
        flush(left);
        flush(right);
        return;
      }
    }
  }

  private void kill(int index) throws IOException {
    Server dead = servers.remove(index);
    servers.add(start());
    new LogSplitter(storage, "data", "oldWALs").split("WALs/" + dead.name);
    end(dead);
    for (Region region : regions) {
      if (region.server == dead) {
        region.server = any(servers);
      }
    }
  }

  private static void end(Server dead) {
    try {
      dead.wal.close();
    } catch (IOException e) {
      // its files are sealed and gone
    }
  }

  @Override
  public void close() throws IOException {
    for (Server server : servers) {
      server.wal.close();
    }
  }
}
