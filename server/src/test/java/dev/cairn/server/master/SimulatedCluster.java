package dev.cairn.server.master;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.FencedStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.engine.wal.split.LogSplitter;
import dev.cairn.engine.wal.split.LogSplitter.LeftLog;
import dev.cairn.engine.wal.split.SealProgress;
import dev.cairn.engine.wal.split.SplitProgress.LogKind;
import dev.cairn.server.catalog.RegionShapes;
import dev.cairn.server.catalog.SchemaReview;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.balancer.BalancerSettings;
import dev.cairn.server.master.ddl.CreateTableProcedure;
import dev.cairn.server.master.ddl.TableStateProcedure;
import dev.cairn.server.master.group.GroupSettings;
import dev.cairn.server.master.hook.MasterHookSource;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.members.MemberSettings;
import dev.cairn.server.master.normalizer.NormalizerSettings;
import dev.cairn.server.master.placement.PlacementReason;
import dev.cairn.server.master.placement.PlacementRule;
import dev.cairn.server.master.placement.PlacementRules;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureRecord;
import dev.cairn.server.master.recovery.DeadServerLogs;
import dev.cairn.server.master.recovery.WalDirectories;
import dev.cairn.server.master.table.CoprocessorVerdicts;
import dev.cairn.server.master.table.SchemaRules;
import dev.cairn.server.master.table.Tables;
import dev.cairn.server.quota.QuotaSchedule;
import dev.cairn.server.snapshot.SnapshotSettings;
import dev.cairn.server.split.SplitPolicies;
import dev.cairn.server.split.SplitSettings;
import dev.cairn.server.walsplit.PartProgress;
import dev.cairn.server.walsplit.SplitOrder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;

/**
 * A master with everything around it in one thread: its store, files and {@code hbase:meta} outlive
 * it, region servers do what they are told, and it can be killed after any action, or within one.
 */
public final class SimulatedCluster {
  public static final Duration JANITOR_INTERVAL = Duration.ofMinutes(3);

  /** After this time without a heartbeat a client's lock ends. */
  public static final Duration LOCK_TIMEOUT = Duration.ofSeconds(10);

  public static final TableName TABLE = TableName.parse("orders");
  private static final int STEPS_MAX = 100_000;

  /** The settings of masters for region servers. */
  public MemberSettings members = MemberSettings.oneServer(Duration.ofSeconds(3));

  /** Exclude servers from getting regions, from the next master on. */
  public final List<PlacementRule> placementRules = new ArrayList<>();

  /** Tells which placement rules the next master obeys. */
  public Predicate<PlacementRule> placementRulesInForce = rule -> true;

  /** The settings of groups for the next master. */
  public GroupSettings groups = GroupSettings.OFF;

  public BalancerSettings balancer = BalancerSettings.onRequest();

  /** The coprocessors of masters that start later. */
  public MasterHookSource hooks = MasterHookSource.NONE;

  /** The number of copies of {@code hbase:meta} in the settings of the next master. */
  public OptionalInt metaReplicas = OptionalInt.empty();

  public Master master;
  public final SimulatedLanes lanes = new SimulatedLanes();
  public final MemoryStorage storage = new MemoryStorage(lanes);
  public final SimulatedStore store = new SimulatedStore();
  final SimulatedCoordination coordination =
      new SimulatedCoordination(lanes, this::addServer, this::unregistered);
  public final SimulatedServers servers = new SimulatedServers(lanes, () -> master);
  public final List<ServerName> recovered = new ArrayList<>();

  /** Registered servers that no master accepts. */
  public final Set<ServerName> refused = new HashSet<>();

  final Set<ServerName> logs = new HashSet<>();

  /** Splits the parts that a master splits itself. */
  public LogSplit split = (kind, parts) -> parts.read(kind, Set.of());

  /** The kinds of logs that servers leave. */
  public Set<LogKind> logKinds = EnumSet.of(LogKind.REGIONS);

  /** The length of a log that a server leaves, bytes. */
  public long logBytes;

  /** Why a master cannot seal a log. */
  public Optional<IOException> sealFailure = Optional.empty();

  /** The servers whose logs were sealed while the servers were alive. */
  public final List<ServerName> sealedEarly = new ArrayList<>();

  /** The scratch directories that are lent to servers that split logs. */
  public final Set<Long> lent = new HashSet<>();

  /** The kinds of logs that were archived. */
  public final List<LogKind> archived = new ArrayList<>();

  public final List<String> aborts = new ArrayList<>();

  /** Tells which storage operations of the master fail. */
  public BiPredicate<StorageOperation, String> storageFault = (operation, path) -> false;

  private long storageOperationsLeft = Long.MAX_VALUE;
  private boolean died;
  private int masters;

  /** The number of masters that have opened the store. */
  public int storesOpened;

  private long storeFiles;

  /** The work of a master that splits parts of a log. */
  @FunctionalInterface
  public interface LogSplit {
    /** Tells how far it comes; fails if it comes no further. */
    void run(LogKind kind, PartProgress parts) throws IOException;
  }

  /** Ends a master in the middle of an action. */
  private static final class Killed extends Error {}

  public void addServer(ServerName server) {
    servers.hosted.put(server, new TreeMap<>());
    logs.add(server);
    coordination.add(server);
  }

  /** Starts a server of which the master does not hear before {@link #addServer}. */
  public void startServerUnheard(ServerName server) {
    logs.add(server);
    coordination.unheard.add(server);
  }

  public void killServer(ServerName server) {
    servers.hosted.remove(server);
    coordination.unheard.remove(server);
    coordination.remove(server);
  }

  /** Ends a server's session; its process does not notice. */
  public void endSession(ServerName server) {
    coordination.remove(server);
  }

  /** Creates or deletes the znode that marks a server as draining, as an operator. */
  public void mark(ServerName server, boolean draining) {
    coordination.markDraining(server, draining);
  }

  /** Lets a master hear of its own marks only, and before ZooKeeper tells of them. */
  public void delayMarks() {
    coordination.drainsUnheard = true;
  }

  /** Returns the servers that are marked as draining. */
  public Set<ServerName> marked() {
    return coordination.state().draining();
  }

  /** Deletes all registrations of region servers, whose processes do not notice. */
  public void wipeZooKeeper() {
    coordination.wipeServers();
  }

  /** Lets the next reads of the identity of ZooKeeper's data fail. */
  public void failReadsOfDataId(int reads) {
    coordination.dataIdFailures = reads;
  }

  /** Removes the log of a server, as a master that has recovered it. */
  public void removeLog(ServerName server) {
    logs.remove(server);
  }

  /** Returns the servers that are registered. */
  public Set<ServerName> registered() {
    return coordination.state().regionServers();
  }

  private void unregistered(ServerName server) {
    coordination.unheard.remove(server);
    if (servers.silent.contains(server)) {
      coordination.remove(server); // The process goes on.
    } else {
      killServer(server);
    }
  }

  public void startMaster() throws IOException {
    died = false;
    storageOperationsLeft = Long.MAX_VALUE;
    FaultyStorage mortal =
        new FaultyStorage(
            storage,
            (operation, path) -> {
              if (storageOperationsLeft-- <= 0) {
                died = true;
                throw new Killed();
              }
              return storageFault.test(operation, path);
            });
    FencedStorage fenced = TableFiles.fence(mortal);
    LogSplitter splitter = new LogSplitter(mortal, "data", "oldWALs");
    ServerName self = new ServerName("master", 16000, ++masters);
    master =
        Master.simulated(
            self,
            new MasterContext(
                lanes,
                mortal,
                fenced,
                new RegionShapes(stores(mortal), fenced),
                coordination,
                servers,
                new Logs(new WalDirectories(mortal, fenced, splitter)),
                members,
                new PlacementRules(placementRules, placementRulesInForce),
                this::openStore,
                new SchemaRules(
                    schema -> {},
                    true,
                    new SplitPolicies(SplitSettings.DEFAULTS),
                    new SchemaReview(Set.of()),
                    StoreFileTracking.Kind.DEFAULT,
                    metaReplicas,
                    CoprocessorVerdicts.ALL_RUN),
                QuotaSchedule.OFF,
                1,
                JANITOR_INTERVAL,
                NormalizerSettings.DEFAULTS,
                groups,
                balancer,
                SnapshotSettings.DEFAULTS,
                LOCK_TIMEOUT,
                () -> new UUID(1, 2),
                hooks,
                new MasterContext.Lifecycle() {
                  @Override
                  public void stopMaster() {}

                  @Override
                  public void stopCluster() {}

                  @Override
                  public void abort(String reason, Throwable cause) {
                    aborts.add(reason);
                  }
                }),
            lanes);
    master.start();
  }

  private SimulatedStore openStore(long epoch, MasterContext.LeadCheck leads) throws IOException {
    leads.check();
    storesOpened++;
    return store;
  }

  /** Has another master lead, of which this one has not heard. */
  public void replaceMasterUnheard(ServerName other) {
    coordination.registerMaster(other, 0);
  }

  private StoreContext stores(Storage files) {
    return new StoreContext(
        files,
        new BlockCache(0, Runnable::run),
        lanes,
        () -> "%032x".formatted(++storeFiles),
        new EngineListener() {},
        StoreSettings.DEFAULTS);
  }

  /** Returns a master that runs on the thread of {@code lanes} only. */
  public static Master master(ServerName self, MasterContext context, SimulatedLanes lanes) {
    return Master.simulated(self, context, lanes);
  }

  /** Returns the published servers of the replicas of {@code hbase:meta}. */
  public Map<Integer, ServerName> publishedMetaReplicas() {
    return coordination.state().metaReplicas();
  }

  /** Lets the next publications of replicas of {@code hbase:meta} fail. */
  public void failMetaPublications(int count) {
    coordination.metaReplicaFailures = count;
  }

  /** Sets the clock of the master back. */
  public void setClockBack(Duration by) {
    lanes.setBack(by);
  }

  /** Loses the znodes that tell where {@code hbase:meta} is open and what states tables have. */
  public void loseZnodes() {
    coordination.loseMetaLocation();
    coordination.publishedTables.clear();
  }

  /** Ends the master at once; what it asked for and did not get done is not done. */
  public void killMaster() {
    master.loop().close();
    coordination.dropListener();
    lanes.dropActions();
  }

  /** Lets the n-th storage operation from now be the master's last. */
  void dieAfterStorageOperations(long n) {
    storageOperationsLeft = n;
  }

  boolean isDead() {
    return died;
  }

  public ActiveMaster active() {
    return master.active().orElseThrow();
  }

  /** Runs one event or action. Returns false if nothing is to do without time passing. */
  public boolean step() {
    boolean any = master.poll();
    any |= reportForDuty();
    try {
      any |= lanes.runAction();
    } catch (Killed e) {
      return false;
    }
    return any;
  }

  /** Lets the registered servers report that the master has not accepted. */
  private boolean reportForDuty() {
    boolean any = false;
    for (ServerName server : List.copyOf(servers.hosted.keySet())) {
      boolean waits =
          master
              .active()
              .filter(active -> active.servers().isLive(server))
              .filter(active -> !active.servers().isAccepted(server))
              .isPresent();
      if (waits && !refused.contains(server)) {
        active().members().reportedForDuty(server);
        any = true;
      }
    }
    return any;
  }

  public void runUntil(BooleanSupplier condition) {
    for (int i = 0; i < STEPS_MAX; i++) {
      if (condition.getAsBoolean() || died) {
        return;
      }
      if (!step() && !died && !lanes.passTime(Duration.ofMinutes(2))) {
        throw new AssertionError("Nothing is left to do, and the condition does not hold");
      }
    }
    throw new AssertionError("The condition does not come to hold");
  }

  /** Lets {@code duration} pass, with all that happens meanwhile. */
  public void letTimePass(Duration duration) {
    long end = lanes.nanoTime() + duration.toNanos();
    while (step() || lanes.passTime(Duration.ofNanos(end - lanes.nanoTime()))) {
      continue;
    }
  }

  public void startUp() throws IOException {
    startMaster();
    runUntil(() -> master.isInitialized());
  }

  public CompletableFuture<Long> submit(Procedure procedure) {
    return submit(procedure, Optional.empty());
  }

  public CompletableFuture<Long> submit(
      Procedure procedure, Optional<ProcedureRecord.Nonce> nonce) {
    CompletableFuture<Long> future = new CompletableFuture<>();
    master.loop().post(() -> active().procedures().submit(procedure, "user", nonce, future));
    return future;
  }

  public boolean isIdle() {
    return master.isInitialized()
        && active().procedures().locks().isEmpty()
        && active().assignments().all().stream().noneMatch(RegionStateNode::isInTransition);
  }

  /** Runs a procedure to its end. */
  public void run(Procedure procedure) {
    CompletableFuture<Long> id = submit(procedure);
    runUntil(() -> id.isDone() && isIdle());
    id.join();
  }

  /** Moves a region as an administrator does; it is closed and opened in the next steps. */
  public void move(RegionStateNode node, ServerName target) {
    Assignments assignments = active().assignments();
    assignments.move(
        node,
        assignments.place(assignments.request(node, PlacementReason.MOVE).at(target)),
        Completion.of(() -> {}, cause -> {}));
  }

  public Procedure createTable(String... splitKeys) {
    return new CreateTableProcedure(
        active().procedureContext(),
        "user",
        TableSchema.of(TABLE, FamilySchema.of("a"), FamilySchema.of("b")),
        Arrays.stream(splitKeys).map(Bytes::utf8).toList());
  }

  public Procedure setEnabled(boolean enabled) {
    return new TableStateProcedure(active().procedureContext(), "user", TABLE, enabled);
  }

  /** Returns the regions of the table that servers have open. */
  public Set<String> openRegions() {
    Set<String> open = new TreeSet<>();
    for (Map<String, RegionInfo> hosted : servers.hosted.values()) {
      for (RegionInfo region : hosted.values()) {
        if (region.table().equals(TABLE) && !open.add(region.encodedName())) {
          throw new AssertionError(region + " is open twice");
        }
      }
    }
    return open;
  }

  /** Returns what meta says: one line per row that has something. */
  public List<String> metaRows() {
    List<String> rows = new ArrayList<>();
    for (byte[] row : servers.meta.rows()) {
      if (!Bytes.utf8(row).startsWith("hbase:namespace")) {
        rows.add(Bytes.toStringBinary(row));
      }
    }
    return rows;
  }

  public boolean hasFiles() throws IOException {
    return new TableFiles(storage).exists(TABLE);
  }

  public Optional<HBaseProtos.TableState.State> tableState() {
    return active().tables().find(TABLE).map(Tables.Table::state);
  }

  private final class Logs implements DeadServerLogs {
    private final DeadServerLogs directories;

    Logs(DeadServerLogs directories) {
      this.directories = directories;
    }

    @Override
    public void check() throws IOException {
      directories.check();
    }

    @Override
    public List<ServerName> servers() {
      return List.copyOf(logs);
    }

    @Override
    public Optional<LeftLog> take(ServerName dead) {
      if (servers.hosted.containsKey(dead)
          && !servers.silent.contains(dead)
          && !servers.stuck.contains(dead)) {
        throw new AssertionError("The log of the living server " + dead + " is taken away");
      }
      if (!logs.contains(dead)) {
        recovered.add(dead);
        return Optional.empty();
      }
      String directory = SplitOrder.directory(dead);
      List<Storage.FileInfo> files = new ArrayList<>();
      files.add(new Storage.FileInfo(directory + "/s.1", false, logBytes, 1));
      if (logKinds.contains(LogKind.META)) {
        files.add(new Storage.FileInfo(directory + "/s.meta.1.meta", false, 1, 1));
      }
      return Optional.of(new LeftLog(directory, files));
    }

    @Override
    public void sealEarly(ServerName server) {
      sealedEarly.add(server);
    }

    @Override
    public void seal(LeftLog log, SealProgress progress) throws IOException {
      if (sealFailure.isPresent()) {
        throw sealFailure.get();
      }
    }

    @Override
    public void lend(long number) {
      lent.add(number);
    }

    @Override
    public void recall(long number) {
      lent.remove(number);
    }

    @Override
    public Set<String> split(LeftLog log, LogKind kind, PartProgress parts, long scratch)
        throws IOException {
      split.run(kind, parts);
      return Set.of();
    }

    @Override
    public void archive(LeftLog log, LogKind kind, Set<String> damaged) {
      archived.add(kind);
    }

    @Override
    public void remove(LeftLog log) {
      ServerName dead =
          logs.stream()
              .filter(server -> SplitOrder.directory(server).equals(log.directory()))
              .findFirst()
              .orElseThrow();
      logs.remove(dead);
      recovered.add(dead);
    }
  }
}
