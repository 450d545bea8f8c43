package dev.cairn.server.regionserver.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.RegionContext;
import dev.cairn.engine.region.state.RegionSettings;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.CellSizeLimit;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.filter.TestFilters;
import dev.cairn.server.regionserver.FakeCall;
import dev.cairn.server.regionserver.FakeRegion;
import dev.cairn.server.regionserver.FlushesTest;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.WatchedWrites;
import dev.cairn.server.regionserver.maintenance.Flushes;
import dev.cairn.server.regionserver.maintenance.MaintenanceSettings;
import dev.cairn.server.regionserver.maintenance.MemStorePressure;
import dev.cairn.server.request.ConditionDecoder;
import dev.cairn.server.request.MutateMessage;
import dev.cairn.server.request.MutationDecoder;
import dev.cairn.server.rpc.ManualClock;
import dev.cairn.server.rpc.Waiting;
import dev.cairn.server.rpc.service.CallOutcome;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever begins a write has the log hurried, through all that stands before the region. */
@Timeout(60)
class HurriedWritesTest {
  private static final byte[] F = Bytes.utf8("f");

  private final ManualClock clock = new ManualClock();
  private final OnlineRegions regions =
      new OnlineRegions(new ServerName("localhost", 16020, 1), clock);
  private final AtomicReference<Thread> writer = new AtomicReference<>();

  @Test
  void aPutIsAnsweredThoughTheLogWouldLingerForAnHour() throws Exception {
    RegionInfo info = new RegionInfo(FakeRegion.SCHEMA.name(), Bytes.EMPTY, Bytes.EMPTY, 7);
    try (GroupCommitWal wal = patientLog()) {
      Region region = Region.open(info, FakeRegion.SCHEMA, context(wal));
      regions.beginOpening(info);
      regions.opened(HostedRegion.of(region).under(List.of(WatchedWrites.layer(failure -> {}))));
      untilTheLogLingers(region);

      CallOutcome<MutateResponse> attempt =
          calls().mutate(new FakeCall().inline("Mutate"), put(info, "r"));

      assertThat(attempt).isInstanceOf(CallOutcome.Deferred.class);
      MutateResponse response =
          ((CallOutcome.Deferred<MutateResponse>) attempt)
              .response()
              .toCompletableFuture()
              .get(60, TimeUnit.SECONDS);
      assertThat(response.getProcessed()).isTrue();
      CellBuffer found = new CellBuffer();
      ScanRequest row = ScanRequest.row(Bytes.utf8("r")).build();
      HostedRegion.of(region).reads(1).row(row, found, ReadBudget.WHOLE_ROWS);
      assertThat(found.size()).isEqualTo(1);
      region.close(true);
    }
  }

  private GroupCommitWal patientLog() throws IOException {
    WalConfig config =
        new WalConfig(
            "WALs/s",
            "oldWALs",
            "s",
            SyncLevel.SYNCED,
            1 << 20,
            32,
            1 << 20,
            TimeUnit.HOURS.toNanos(1));
    return GroupCommitWal.open(
        new MemoryStorage(clock),
        config,
        clock,
        task -> {
          writer.set(new Thread(task, "test-wal"));
          return writer.get();
        },
        WalListener.NONE);
  }

  /** A log that is busy, or sleeps so deeply that an append wakes it, needs no hurrying. */
  private void untilTheLogLingers(Region region) throws Exception {
    do {
      byte[] row = Bytes.utf8("first");
      CellBuffer cells = new CellBuffer();
      cells.add(Cell.put(row, F, F, 1, F));
      region.write(Mutation.put(row, cells), WriteBudget.UNLIMITED).join();
      Waiting.waitUntil(
          () ->
              writer.get().getState() == Thread.State.TIMED_WAITING
                  || writer.get().getState() == Thread.State.WAITING);
    } while (writer.get().getState() != Thread.State.TIMED_WAITING);
  }

  private RegionContext context(GroupCommitWal wal) {
    StoreContext stores =
        new StoreContext(
            new MemoryStorage(clock),
            new BlockCache(1 << 20, Runnable::run),
            clock,
            () -> "0123456789abcdef0123456789abcdef",
            EngineListener.NONE,
            StoreSettings.DEFAULTS);
    return new RegionContext("data", wal, stores, RegionSettings.DEFAULTS).within(pressure());
  }

  private MemStorePressure pressure() {
    Flushes flushes = FlushesTest.make(Runnable::run, clock, failure -> {});
    MaintenanceSettings settings =
        new MaintenanceSettings(1 << 20, 1 << 20, 0.95, 90_000, 1, 1, true, 1);
    return new MemStorePressure(regions, flushes, settings, clock);
  }

  private MutateCalls calls() {
    NonceManager nonces = new NonceManager(clock, 60_000, 1 << 20);
    return new MutateCalls(
        regions,
        new MutationDecoder(CellSizeLimit.of(0)),
        new ConditionDecoder(TestFilters.parser(getClass().getClassLoader())),
        new NonceGuard(nonces),
        new CallTimes(clock, 1_000));
  }

  private static MutateMessage put(RegionInfo info, String row) throws IOException {
    Put put = new Put(Bytes.utf8(row)).addColumn(F, F, F);
    MutateRequest request =
        MutateRequest.newBuilder()
            .setRegion(Messages.specifier(info))
            .setMutation(ProtobufUtil.toMutation(MutationType.PUT, put))
            .build();
    return MutateMessage.parse(request.toByteArray());
  }
}
