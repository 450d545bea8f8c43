package dev.cairn.torture.cluster;

import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.region.RecoveredNonces;
import dev.cairn.engine.region.RegionContext;
import dev.cairn.engine.region.RegionOpening;
import dev.cairn.engine.region.feed.FeedMemory;
import dev.cairn.engine.region.write.MemStoreRoom;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.WalFailedException;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.split.FlushedEdits;
import dev.cairn.engine.wal.split.LogSplitter;
import dev.cairn.engine.wal.split.SplitProgress.LogKind;
import dev.cairn.server.bulkload.StagingDirectory;
import dev.cairn.server.catalog.ClusterLevel;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.coordination.RegistryService;
import dev.cairn.server.process.RegionServerLogs;
import dev.cairn.server.process.RegistrationWatch;
import dev.cairn.server.regionserver.RegionServer;
import dev.cairn.server.regionserver.RegionServerContext;
import dev.cairn.server.regionserver.RegionServerExecutors;
import dev.cairn.server.regionserver.assignment.Openings;
import dev.cairn.server.regionserver.hooked.HookedWork;
import dev.cairn.server.regionserver.hosted.PreparedRegion;
import dev.cairn.server.regionserver.logs.LogWatch;
import dev.cairn.server.regionserver.logs.ServerLogs;
import dev.cairn.server.regionserver.maintenance.LoadSplits.LoadMeter;
import dev.cairn.server.regionserver.membership.RpcMasterLink;
import dev.cairn.server.regionserver.quota.RpcQuotaSource;
import dev.cairn.server.regionserver.reference.RpcReferencedRows;
import dev.cairn.server.regionserver.replica.ReplicaLink;
import dev.cairn.server.regionserver.replica.RpcReplicaLink;
import dev.cairn.server.regionserver.report.LoadReports;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.server.slowlog.SlowLog;
import dev.cairn.server.traffic.Traffic;
import dev.cairn.server.walsplit.PartProgress;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Runs the real region server on a simulated machine, from its start to its end. */
final class RegionServerProcess {
  /** The time from the beginning of a server's log to its registration, without the guard. */
  private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final int PORT = 16020;

  /** More than a server has. */
  private static final int CHORES_MAX = 20;

  private static final long LOG_CHECK_MILLIS = 1_000;
  private static final long ARCHIVE_MILLIS = 300_000;
  private static final Duration MASTER_TIMEOUT = Duration.ofSeconds(30);

  private final ClusterParts parts;
  private final ProcessParts host;
  private final ServerName name;
  private Optional<RegionServer> server = Optional.empty();
  private Optional<Coordination> session = Optional.empty();

  private RegionServerProcess(ClusterParts parts, ProcessParts host, ServerName name) {
    this.parts = parts;
    this.host = host;
    this.name = name;
  }

  /** Starts a region server; the start continues on the machine's threads. */
  static RegionServerProcess start(ClusterParts parts, ProcessParts host, long startCode) {
    ServerName name = new ServerName(Network.place(host.machine().name()), PORT, startCode);
    RegionServerProcess process = new RegionServerProcess(parts, host, name);
    host.machine().spawn("start", () -> host.start(process::begin));
    return process;
  }

  ServerName name() {
    return name;
  }

  /** Returns the region server, if it runs. */
  Optional<RegionServer> server() {
    return host.machine().isStopped() ? Optional.empty() : server;
  }

  /**
   * Returns the region server, if it may answer clients: its lease lasts, and it is not aborted.
   */
  Optional<RegionServer> answering() {
    return server()
        .filter(running -> running.abortReason().isEmpty())
        .filter(running -> session.isPresent() && !session.get().lease().isOver());
  }

  ProcessParts host() {
    return host;
  }

  private void begin() throws IOException {
    Clock clock = host.machine().clock();
    parts.network().bind(name.hostAndPort(), host.machine());
    Coordination session =
        ZooKeeperSession.open(host.machine(), parts.zooKeeper(), parts.network());
    this.session = Optional.of(session);
    Storage storage = host.storage();
    ServerLogs logs =
        RegionServerLogs.begin(
            name,
            () -> {
              if (parts.has(Guard.REGISTRATION)) {
                session.registerRegionServer(name, 0);
              }
            },
            directory ->
                GroupCommitWal.open(
                    storage,
                    parts.log(directory, "oldWALs", name.toString()),
                    clock,
                    host.machine().threads("wal"),
                    new LogListener()),
            directory ->
                GroupCommitWal.openBeside(
                    storage,
                    parts.log(directory, "oldWALs", name.toString()).ofMeta(),
                    clock,
                    host.machine().threads("wal"),
                    new LogListener()));
    if (!parts.has(Guard.REGISTRATION)) {
      host.machine().pause(LATE_NANOS);
      session.registerRegionServer(name, 0);
    }
    FeedMemory feeds = parts.feeds();
    RegionContext context =
        new RegionContext(
                "data",
                logs.all().get(0),
                host.stores(),
                parts.regionSettings(),
                MemoryAccount.unlimited(),
                MemStoreRoom.UNLIMITED)
            .feeding(feeds);
    TableFiles files = new TableFiles(storage);
    RegistrationWatch watch = new RegistrationWatch(name, this::giveWay);
    SplittableRandom random = new SplittableRandom(name.startCode());
    MessageFilter filter = parts.has(Guard.ORDER) ? MessageFilter.NONE : new HiddenOrderNumbers();
    RegionServer created =
        new RegionServer(
            name,
            LiveConfig.fixed(parts.config()),
            clock,
            new RegionServerContext(
                new RegionServerContext.Files(
                    logs,
                    this::split,
                    room ->
                        (info, schema, nonces) ->
                            PreparedRegion.of(
                                info,
                                RegionOpening.read(
                                    info,
                                    schema,
                                    context.within(room).writing(logs.logOf(info)),
                                    parts.has(Guard.NONCES) ? nonces : RecoveredNonces.IGNORED)),
                    files.descriptors()::require,
                    new StagingDirectory(storage, random),
                    new SharedSourceFiles(storage),
                    ARCHIVE_MILLIS),
                new RegionServerContext.Cluster(
                    new RpcMasterLink(
                        filter.around(parts.network().from(host.machine())),
                        () -> session.state().activeMaster().map(ServerName::address),
                        MASTER_TIMEOUT,
                        ClusterLevel.defaults()),
                    new RpcQuotaSource(
                        parts.network().from(host.machine()), () -> session.state().metaLocation()),
                    new RpcReferencedRows(
                        parts.network().from(host.machine()), () -> session.state().metaLocation()),
                    replicas(
                        new RpcReplicaLink(parts.network().from(host.machine()), session::state)),
                    new RegionServerContext.Lease(
                        () -> isLeaseOver(session), () -> session.lease().endIfOver()),
                    () -> unregister(session, watch),
                    0),
                new RegionServerContext.Memory(
                    new LoadReports.Heap(1L << 30, () -> 0),
                    MemoryAccount.unlimited(),
                    () -> 0,
                    feeds),
                new RegionServerContext.Calls(
                    SlowLog.off(),
                    RegionServer.class.getClassLoader(),
                    name.startCode() << 20,
                    Traffic.off(clock),
                    new LoadMeter(
                        () -> 0, () -> 0, random::nextInt, 1), // simulated calls take no time
                    List.of(),
                    RegionServerContext.Hooks.NONE)),
            new RegionServerExecutors(
                new Openings(
                    host.machine().executor("open-meta", 1),
                    host.machine().executor("open-system", 3),
                    host.machine().executor("open", 8)),
                host.machine().executor("close", 8),
                host.machine().executor("reports", 4),
                host.machine().executor("chores", CHORES_MAX),
                host.machine().executor("splits", 1),
                host.machine().executor("flushes", 2),
                host.machine().executor("small-compactions", 1),
                host.machine().executor("large-compactions", 1),
                host.machine().executor("wal-splits", 3),
                HookedWork.NONE,
                task -> host.machine().spawn("ending", task),
                host.machine().timer()));
    server = Optional.of(created);
    List<RpcService> services = new ArrayList<>(created.services());
    services.add(RegistryService.clientMeta(session::state, List.of()));
    parts.network().listen(name.hostAndPort(), host.machine(), services, filter::received);
    LogWatch logWatch = new LogWatch(logs, session.lease().timeout(), this::abort);
    host.machine()
        .timer()
        .scheduleWithFixedDelay(
            logWatch::check, LOG_CHECK_MILLIS, LOG_CHECK_MILLIS, TimeUnit.MILLISECONDS);
    session.listen(watch);
    created
        .stopped()
        .thenRun(
            () -> {
              if (created.isReplaced()) {
                parts.startAgain(host.machine());
              }
              host.machine().stop();
            });
    created.start();
    parts.note(name + " starts");
  }

  private ReplicaLink replicas(ReplicaLink link) {
    return parts.has(Guard.NOTICE) ? link : new OnceToldReplicas(link);
  }

  private void split(
      String directory, LogKind kind, PartProgress progress, FlushedEdits flushed, String scratch)
      throws IOException {
    LogSplitter splitter =
        new LogSplitter(host.storage(), "data", "oldWALs")
            .publishing(
                task -> host.machine().spawn("recovery", task),
                host.machine().clock(),
                parts::fileName);
    parts.note(
        splitter
            .splitShare(directory, kind, progress::includes, flushed, scratch, progress)
            .summary()
            .toString());
  }

  /** Tells whether the server may send no more answers. The machine may freeze in this call. */
  private boolean isLeaseOver(Coordination session) {
    host.freezePoint().reached(Instant.ANSWER_MADE);
    return parts.has(Guard.LEASE) && session.lease().isOver();
  }

  private void abort(String reason) {
    end(reason, running -> running.abort(reason));
  }

  private void giveWay(String reason) {
    end(reason, running -> running.giveWay(reason));
  }

  private void end(String reason, Consumer<RegionServer> how) {
    parts.note(name + " aborts: " + reason);
    parts.gaveUp(host.machine(), reason);
    host.machine().spawn("abort", () -> server.ifPresent(how));
  }

  /** Returns false if others may have declared the server dead before. */
  private boolean unregister(Coordination session, RegistrationWatch watch) {
    watch.leave();
    boolean hadLease = !session.lease().isOver();
    try {
      return session.unregisterRegionServer(name) && hadLease;
    } catch (IOException e) {
      return !session.lease().isOver(); // The registration ends with the session.
    }
  }

  private final class LogListener implements WalListener {
    @Override
    public void failed(WalFailedException failure) {
      abort(failure.getMessage());
    }
  }

  static BlockCache cache() {
    return new BlockCache(4 << 20, 0.25, 64 << 10, Runnable::run);
  }
}
