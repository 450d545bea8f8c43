package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.region.feed.FeedMemory;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalFailedException;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.server.bulkload.CopiedSourceFiles;
import dev.cairn.server.bulkload.StagingDirectory;
import dev.cairn.server.catalog.QuotaContents;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.regionserver.assignment.Openings;
import dev.cairn.server.regionserver.hooked.HookedWork;
import dev.cairn.server.regionserver.logs.ServerLogs;
import dev.cairn.server.regionserver.maintenance.LoadSplits.LoadMeter;
import dev.cairn.server.regionserver.membership.MasterLink;
import dev.cairn.server.regionserver.replica.ReplicaLink;
import dev.cairn.server.regionserver.replica.ReplicaMessage;
import dev.cairn.server.regionserver.report.LoadReports;
import dev.cairn.server.rpc.ManualClock;
import dev.cairn.server.rpc.ProtocolCheck;
import dev.cairn.server.rpc.SubjectCheck;
import dev.cairn.server.rpc.service.CallInterceptor;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.slowlog.SlowLog;
import dev.cairn.server.traffic.Traffic;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.GetLastFlushedSequenceIdResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerReportRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStartupRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionSpaceUseReportRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportProcedureDoneRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRSFatalErrorRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the services on a region server's port. */
class RegionServerServicesTest {
  private static final ServerName NAME = ServerName.parse("host,16020,1");

  private final ManualClock clock = new ManualClock();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private GroupCommitWal wal;

  @BeforeEach
  void openLog() throws IOException {
    WalConfig config = new WalConfig("WALs/s", "oldWALs", "s", SyncLevel.SYNCED, 1 << 20, 32);
    wal =
        GroupCommitWal.open(new MemoryStorage(clock), config, clock, Thread::new, WalListener.NONE);
  }

  @AfterEach
  void close() throws IOException {
    timer.shutdownNow();
    wal.close();
  }

  @Test
  void interceptorsAreAskedAboutEachMethodWithItsSubject() throws IOException {
    SubjectCheck subjects = new SubjectCheck();
    subjects.check(server(Runnable::run, Runnable::run, List.of(subjects)).services());
  }

  @Test
  void servesItsTables() {
    RegionServer server = server(Runnable::run, Runnable::run);
    ProtocolCheck.assertServesItsTable(
        server.services(), MethodTables.CLIENT, MethodTables.ADMIN, MethodTables.SNAPSHOT);
  }

  @Test
  void itGivesUpWhileAllThreadsOfItsPoolsHang() {
    RegionServer server = server(task -> {}, Runnable::run);
    server.fatal(new WalFailedException("WALs/s", new IOException("no disk")));
    assertThat(server.abortReason())
        .hasValueSatisfying(reason -> assertThat(reason).contains("WALs/s", "no disk"));
    assertThat(server.stopped()).isDone();
  }

  @Test
  void nobodyWaitsUntilItHasGivenUp() {
    List<Runnable> ending = new ArrayList<>();
    RegionServer server = server(Runnable::run, ending::add);
    CompletableFuture<Void> end = server.abort("no reason");
    assertThat(server.abortReason()).hasValue("no reason");
    assertThat(end).isNotDone();
    assertThat(server.abort("another reason")).as("begun already").isDone();
    ending.remove(0).run();
    assertThat(end).isDone();
    assertThat(server.stopped()).isDone();
    assertThat(ending).isEmpty();
  }

  /**
   * Creates a server.
   *
   * @param pool runs the tasks of all pools
   * @param ending stops and aborts the server
   */
  private RegionServer server(Executor pool, Executor ending) {
    return server(pool, ending, List.of());
  }

  private RegionServer server(Executor pool, Executor ending, List<CallInterceptor> interceptors) {
    return new RegionServer(
        NAME,
        LiveConfig.fixed(new SiteConfig(Map.of())),
        clock,
        new RegionServerContext(
            new RegionServerContext.Files(
                new ServerLogs(wal, () -> wal),
                (directory, kind, parts, flushed, scratch) -> {},
                room ->
                    (info, schema, recovered) -> {
                      throw new FileNotFoundException("no region is opened here");
                    },
                table -> {
                  throw new FileNotFoundException("no table is here");
                },
                new StagingDirectory(new MemoryStorage(clock), new SecureRandom()),
                new CopiedSourceFiles(new MemoryStorage(clock)),
                300_000),
            new RegionServerContext.Cluster(
                new NoMaster(),
                QuotaContents::new,
                (table, rows) -> new TreeSet<>(Arrays::compareUnsigned),
                new NoReplicas(),
                new RegionServerContext.Lease(() -> false, () -> false),
                () -> true,
                0),
            new RegionServerContext.Memory(
                new LoadReports.Heap(1 << 30, () -> 0),
                MemoryAccount.unlimited(),
                () -> 0,
                FeedMemory.NONE),
            new RegionServerContext.Calls(
                SlowLog.off(),
                RegionServer.class.getClassLoader(),
                1,
                Traffic.off(clock),
                LoadMeter.ofProcess(),
                interceptors,
                RegionServerContext.Hooks.NONE)),
        new RegionServerExecutors(
            new Openings(pool, pool, pool),
            pool,
            pool,
            pool,
            pool,
            pool,
            pool,
            pool,
            pool,
            HookedWork.NONE,
            ending,
            timer));
  }

  private static final class NoReplicas implements ReplicaLink {
    @Override
    public List<Location> locate(RegionInfo region) {
      return List.of();
    }

    @Override
    public Optional<ServerName> locateRegion(RegionInfo region) {
      return Optional.empty();
    }

    @Override
    public long send(ServerName server, List<ReplicaMessage> messages) {
      return 0;
    }

    @Override
    public void greet(ServerName server, List<RegionInfo> replicas) {}

    @Override
    public void askForFlushes(ServerName server, List<RegionInfo> replicas) {}
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
