package dev.cairn.server.regionserver;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.Wal.SyncLevel;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.server.bulkload.CopiedSourceFiles;
import dev.cairn.server.bulkload.StagingDirectory;
import dev.cairn.server.catalog.QuotaContents;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.rpc.ManualClock;
import dev.cairn.server.rpc.MethodTables;
import dev.cairn.server.rpc.ProtocolCheck;
import dev.cairn.server.slowlog.SlowLog;
import dev.cairn.server.traffic.Traffic;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.GetLastFlushedSequenceIdResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerReportRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStartupRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionSpaceUseReportRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportProcedureDoneRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRSFatalErrorRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionRequest;
import org.junit.jupiter.api.Test;

/** What is served on a region server's port. */
class RegionServerServicesTest {
  private static final ServerName NAME = ServerName.parse("host,16020,1");

  @Test
  void servesItsTables() throws IOException {
    ManualClock clock = new ManualClock();
    WalConfig config = new WalConfig("WALs/s", "oldWALs", "s", SyncLevel.SYNCED, 1 << 20, 32);
    GroupCommitWal wal =
        GroupCommitWal.open(new MemoryStorage(clock), config, clock, Thread::new, WalListener.NONE);
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    try {
      RegionServer server =
          new RegionServer(
              NAME,
              LiveConfig.fixed(new SiteConfig(Map.of())),
              clock,
              new RegionServer.Surroundings(
                  new ServerLogs(wal, () -> wal),
                  (directory, kind, parts, flushed, scratch) -> {},
                  room ->
                      (info, schema, recovered) -> {
                        throw new FileNotFoundException("no region is opened here");
                      },
                  table -> {
                    throw new FileNotFoundException("no table is here");
                  },
                  new NoMaster(),
                  QuotaContents::new,
                  new LoadReports.Heap(1 << 30, () -> 0),
                  MemoryAccount.unlimited(),
                  () -> 0,
                  SlowLog.off(),
                  RegionServer.class.getClassLoader(),
                  0,
                  1,
                  new RegionServer.Lease(() -> false, () -> false),
                  new StagingDirectory(new MemoryStorage(clock), new SecureRandom()),
                  new CopiedSourceFiles(new MemoryStorage(clock)),
                  Traffic.off(clock),
                  LoadMeter.ofProcess(),
                  () -> {}),
              new RegionServer.Workers(
                  Runnable::run,
                  Runnable::run,
                  Runnable::run,
                  Runnable::run,
                  Runnable::run,
                  timer));
      ProtocolCheck.assertServesItsTable(
          server.services(), MethodTables.CLIENT, MethodTables.ADMIN, MethodTables.SNAPSHOT);
    } finally {
      timer.shutdownNow();
      wal.close();
    }
  }

  private static final class NoMaster implements MasterLink {
    @Override
    public void startup(RegionServerStartupRequest request) {}

    @Override
    public void report(RegionServerReportRequest request) {}

    @Override
    public void transition(ReportRegionStateTransitionRequest request) {}

    @Override
    public void procedureDone(ReportProcedureDoneRequest request) {}

    @Override
    public GetLastFlushedSequenceIdResponse flushed(String region) {
      return GetLastFlushedSequenceIdResponse.getDefaultInstance();
    }

    @Override
    public void spaceUse(RegionSpaceUseReportRequest request) {}

    @Override
    public void fatal(ReportRSFatalErrorRequest request) {}
  }
}
