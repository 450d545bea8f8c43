package dev.cairn.server.regionserver.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.RegionContext;
import dev.cairn.engine.region.bulkload.BulkLoadRequest;
import dev.cairn.engine.region.state.RegionSettings;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.server.bulkload.SourceFiles;
import dev.cairn.server.bulkload.StagingDirectory;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.FakeCall;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.rpc.ManualClock;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.BulkLoadHFileRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CleanupBulkLoadRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.PrepareBulkLoadRequest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A load takes all files of a client or none, and no failure at any step loses a file. */
@Timeout(120)
class BulkLoadCallsTest {
  private static final TableSchema SCHEMA =
      TableSchema.of(TableName.parse("t"), FamilySchema.of("f"), FamilySchema.of("g"));
  private static final RegionInfo INFO = new RegionInfo(SCHEMA.name(), Bytes.EMPTY, Bytes.EMPTY, 7);
  private static final byte[] ROW = Bytes.utf8("r");
  private static final List<String> LOADED = List.of("f=loaded", "g=loaded");

  private final ManualClock clock = new ManualClock();
  private final MemoryStorage memory = new MemoryStorage(clock);
  private final AtomicInteger names = new AtomicInteger();

  /** Files on the disk of the server. */
  private record Sources(Storage storage) implements SourceFiles {
    @Override
    public Transfer take(String source, String target, Mode mode) throws IOException {
      if (!storage.exists(source)) {
        throw new NoSuchFileException(source);
      }
      if (mode == Mode.COPY) {
        storage.writeAll(target, storage.readAll(source));
        return Transfer.COPIED;
      }
      storage.rename(source, target);
      return Transfer.MOVED;
    }

    @Override
    public void giveBack(String target, String source) throws IOException {
      storage.rename(target, source);
    }

    @Override
    public void delete(String target) throws IOException {
      storage.delete(target);
    }
  }

  /** A server that has the region. Closing it is like a kill. */
  private final class Server implements AutoCloseable {
    private final Wal wal;
    private final Region region;
    private final BulkLoadCalls calls;

    Server(Storage storage) throws IOException {
      String name = "server" + names.incrementAndGet();
      wal =
          GroupCommitWal.open(
              memory,
              new WalConfig("WALs/" + name, "oldWALs", name, SyncLevel.SYNCED, 1 << 20, 32),
              clock,
              Thread::new,
              WalListener.NONE);
      StoreContext stores =
          new StoreContext(
              storage,
              new BlockCache(1 << 20, Runnable::run),
              clock,
              () -> "%032x".formatted(names.incrementAndGet()),
              EngineListener.NONE,
              StoreSettings.DEFAULTS);
      region =
          Region.open(
              INFO, SCHEMA, new RegionContext("data", wal, stores, RegionSettings.DEFAULTS));
      OnlineRegions regions = new OnlineRegions(new ServerName("localhost", 16020, 1), clock);
      regions.beginOpening(INFO);
      regions.opened(HostedRegion.of(region));
      calls =
          new BulkLoadCalls(
              regions,
              new StagingDirectory(storage, new SecureRandom()),
              new Sources(storage),
              BulkLoadRequest.Check.ALL);
    }

    String prepare() throws IOException {
      return calls
          .prepare(
              new FakeCall(),
              PrepareBulkLoadRequest.newBuilder()
                  .setTableName(Messages.message(SCHEMA.name()))
                  .setRegion(Messages.specifier(INFO))
                  .build())
          .getBulkToken();
    }

    boolean load(String token, SourceFiles.Mode mode) throws IOException {
      BulkLoadHFileRequest.Builder request =
          BulkLoadHFileRequest.newBuilder()
              .setRegion(Messages.specifier(INFO))
              .setAssignSeqNum(true)
              .setBulkToken(token)
              .setCopyFile(mode == SourceFiles.Mode.COPY);
      for (String family : SCHEMA.familyNames()) {
        request.addFamilyPath(
            BulkLoadHFileRequest.FamilyPath.newBuilder()
                .setFamily(Messages.wrap(Bytes.utf8(family)))
                .setPath(source(family)));
      }
      return calls.load(new FakeCall(), request.build()).getLoaded();
    }

    void cleanUp(String token) throws IOException {
      calls.cleanUp(
          new FakeCall(),
          CleanupBulkLoadRequest.newBuilder()
              .setBulkToken(token)
              .setRegion(Messages.specifier(INFO))
              .build());
    }

    void compact() throws IOException {
      region.compact(true);
    }

    List<String> cells() throws IOException {
      CellBuffer found = new CellBuffer();
      ScanRequest row = ScanRequest.row(ROW).build();
      HostedRegion.of(region).reads(1).row(row, found, ReadBudget.WHOLE_ROWS);
      List<String> cells = new ArrayList<>();
      for (int i = 0; i < found.size(); i++) {
        Cell cell = found.get(i);
        cells.add(Bytes.utf8(cell.family()) + "=" + Bytes.utf8(cell.value()));
      }
      return cells;
    }

    @Override
    public void close() throws IOException {
      region.close(true);
      wal.close();
    }
  }

  private static String source(String family) {
    return "incoming/" + family + "/file";
  }

  private void writeSources() throws IOException {
    for (FamilySchema family : SCHEMA.families()) {
      String path = source(family.nameAsString());
      HFileOptions options = HFileOptions.of(family, CellComparator.USER);
      try (HFileWriter file = new HFileWriter(memory, path, options, clock)) {
        file.append(Cell.put(ROW, family.name(), Bytes.utf8("q"), 5, Bytes.utf8("loaded")));
        file.finish();
      }
    }
  }

  /** Checks that each file is where its client has put it, or in the staging directory. */
  private void assertNoFileIsLost(String token) throws IOException {
    for (String family : SCHEMA.familyNames()) {
      assertThat(
              memory.exists(source(family)) || !memory.list(Storage.join(token, family)).isEmpty())
          .as("the file of family %s", family)
          .isTrue();
    }
  }

  private void assertAllIsTidy(SourceFiles.Mode mode) throws IOException {
    assertThat(memory.list("staging")).isEmpty();
    for (String family : SCHEMA.familyNames()) {
      assertThat(memory.exists(source(family))).isEqualTo(mode == SourceFiles.Mode.COPY);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLoadIsRepeatedAfterAKillAtAnyStep(SourceFiles.Mode mode) throws IOException {
    boolean stopped = true;
    for (int operations = 0; stopped; operations++) {
      memory.delete("data");
      memory.delete("incoming");
      writeSources();
      boolean[] counting = new boolean[1];
      FaultyStorage.Fault stop = FaultyStorage.Fault.stopAfter(operations);
      FaultyStorage disk =
          new FaultyStorage(
              memory, (operation, path) -> counting[0] && stop.fails(operation, path));
      String token;
      try (Server killed = new Server(disk)) {
        token = killed.prepare();
        counting[0] = true;
        stopped = !isLoaded(killed, token, mode);
        counting[0] = false;
      }
      try (Server next = new Server(memory)) {
        if (next.cells().isEmpty()) {
          assertThat(stopped).as("stop after %d operations", operations).isTrue();
          assertNoFileIsLost(token);
        } else {
          assertThat(next.cells()).isEqualTo(LOADED);
        }
        assertThat(next.load(token, mode)).isTrue();
        assertThat(next.cells()).isEqualTo(LOADED);
        next.cleanUp(token);
        assertAllIsTidy(mode);
      }
    }
  }

  private static boolean isLoaded(Server server, String token, SourceFiles.Mode mode) {
    try {
      return server.load(token, mode);
    } catch (IOException e) {
      return false;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLoadIsRepeatedByTheSameServerAfterAFaultAtAnyStep(SourceFiles.Mode mode)
      throws IOException {
    boolean failed = true;
    for (int step = 0; failed; step++) {
      memory.delete("data");
      memory.delete("incoming");
      writeSources();
      boolean[] counting = new boolean[1];
      boolean[] met = new boolean[1];
      FaultyStorage.Fault before = FaultyStorage.Fault.stopAfter(step);
      FaultyStorage disk =
          new FaultyStorage(
              memory,
              (operation, path) -> {
                boolean fails = counting[0] && !met[0] && before.fails(operation, path);
                met[0] |= fails;
                return fails;
              });
      try (Server server = new Server(disk)) {
        String token = server.prepare();
        counting[0] = true;
        boolean loaded = isLoaded(server, token, mode);
        failed = met[0];
        counting[0] = false;
        if (!loaded) {
          assertThat(server.cells()).isEmpty();
        }
        assertThat(server.load(token, mode)).isTrue();
        assertThat(server.cells()).isEqualTo(LOADED);
        server.cleanUp(token);
        assertAllIsTidy(mode);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLoadWhoseResponseWasLostIsRepeatedAfterACompaction(SourceFiles.Mode mode)
      throws IOException {
    writeSources();
    try (Server server = new Server(memory)) {
      String token = server.prepare();
      assertThat(server.load(token, mode)).isTrue();
      server.compact();
      assertThat(server.load(token, mode)).isTrue();
      assertThat(server.cells()).isEqualTo(LOADED);
      server.cleanUp(token);
      assertAllIsTidy(mode);
    }
  }
}
