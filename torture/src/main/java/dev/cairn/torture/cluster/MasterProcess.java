package dev.cairn.torture.cluster;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.region.RegionContext;
import dev.cairn.engine.region.write.MemStoreRoom;
import dev.cairn.engine.storage.FencedStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.split.LogSplitter;
import dev.cairn.server.catalog.RegionShapes;
import dev.cairn.server.catalog.SchemaReview;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.master.Master;
import dev.cairn.server.master.MasterContext;
import dev.cairn.server.master.balancer.BalancerSettings;
import dev.cairn.server.master.draining.DrainingRule;
import dev.cairn.server.master.group.GroupRule;
import dev.cairn.server.master.group.GroupSettings;
import dev.cairn.server.master.hook.MasterHookSource;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.LaneQueues;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.members.MemberSettings;
import dev.cairn.server.master.normalizer.NormalizerSettings;
import dev.cairn.server.master.placement.PlacementRule;
import dev.cairn.server.master.placement.PlacementRules;
import dev.cairn.server.master.recovery.WalDirectories;
import dev.cairn.server.master.remote.ServerCalls;
import dev.cairn.server.master.service.MasterServices;
import dev.cairn.server.master.store.MasterStore;
import dev.cairn.server.master.store.RegionMasterStore;
import dev.cairn.server.master.table.CoprocessorVerdicts;
import dev.cairn.server.master.table.SchemaRules;
import dev.cairn.server.process.MasterStoreOpening;
import dev.cairn.server.quota.QuotaSchedule;
import dev.cairn.server.regionserver.maintenance.MaintenanceSettings;
import dev.cairn.server.rpc.client.RpcCaller;
import dev.cairn.server.snapshot.SnapshotSettings;
import dev.cairn.server.split.SplitPolicies;
import dev.cairn.server.split.SplitSettings;
import dev.cairn.server.walsplit.WalSplitSettings;
import dev.cairn.torture.scheduler.Machine;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Runs the real master on a simulated machine, from its start to its end. */
final class MasterProcess {
  private static final int PORT = 16000;

  /** Logs are short here, and several servers share most of them. */
  private static final WalSplitSettings SPLITS = new WalSplitSettings(2, 16 << 10);

  private final ClusterParts parts;
  private final ProcessParts host;
  private final ServerName name;
  private Optional<Master> master = Optional.empty();

  private MasterProcess(ClusterParts parts, ProcessParts host, ServerName name) {
    this.parts = parts;
    this.host = host;
    this.name = name;
  }

  /** Starts a master; the start continues on the machine's threads. */
  static MasterProcess start(ClusterParts parts, ProcessParts host, long startCode) {
    ServerName name = new ServerName(Network.place(host.machine().name()), PORT, startCode);
    MasterProcess process = new MasterProcess(parts, host, name);
    host.machine().spawn("start", () -> host.start(process::begin));
    return process;
  }

  ServerName name() {
    return name;
  }

  ProcessParts host() {
    return host;
  }

  /** Returns the master, if it runs. */
  Optional<Master> master() {
    return host.machine().isStopped() ? Optional.empty() : master;
  }

  private void begin() throws IOException {
    Machine machine = host.machine();
    parts.network().bind(name.hostAndPort(), machine);
    ZooKeeperSession session = ZooKeeperSession.open(machine, parts.zooKeeper(), parts.network());
    if (!parts.has(Guard.WAIT)) {
      session.shortenTimeout();
    }
    RpcCaller caller = parts.network().from(machine);
    MessageFilter filter = parts.has(Guard.EPOCH) ? MessageFilter.NONE : new HiddenEpochs();
    FencedStorage fenced = TableFiles.fence(host.storage());
    Master created =
        Master.create(
            name,
            0,
            new MasterContext(
                machine.clock(),
                host.storage(),
                fenced,
                new RegionShapes(host.stores(), fenced),
                session,
                new Calls(filter.around(caller), host.freezePoint()),
                new WalDirectories(host.storage(), fenced, splitter("")),
                MemberSettings.of(
                        parts.config(),
                        Duration.ofMillis(parts.config().get(MaintenanceSettings.REPORT_MILLIS)))
                    .splitting(SPLITS),
                new PlacementRules(List.of(), this::isInForce),
                this::openStore,
                new SchemaRules(
                    schema -> {},
                    true,
                    new SplitPolicies(SplitSettings.DEFAULTS),
                    new SchemaReview(Set.of()),
                    StoreFileTracking.Kind.DEFAULT,
                    parts.metaCopies(),
                    CoprocessorVerdicts.ALL_RUN),
                QuotaSchedule.OFF,
                10,
                Duration.ofMinutes(1),
                NormalizerSettings.DEFAULTS,
                parts.hasGroups() ? new GroupSettings(true, () -> false) : GroupSettings.OFF,
                BalancerSettings.of(parts.config()),
                SnapshotSettings.DEFAULTS,
                Duration.ofSeconds(60),
                () -> new UUID(parts.random().nextLong(), parts.random().nextLong()),
                MasterHookSource.NONE,
                new Lifecycle()),
            new MachineLanes(machine),
            turn -> machine.spawn("master", turn));
    master = Optional.of(created);
    created.start();
    created.leading().thenRun(() -> parts.note(name + " leads"));
    created.initialized().thenRun(() -> parts.note(name + " answers clients"));
    parts
        .network()
        .listen(
            name.hostAndPort(),
            machine,
            MasterServices.of(created, LiveConfig.fixed(parts.config()), () -> {}, List.of()),
            filter::received);
  }

  /** Leaves out the rules whose guards are disabled. */
  private boolean isInForce(PlacementRule rule) {
    if (rule instanceof DrainingRule) {
      return parts.has(Guard.DRAINING);
    }
    return !(rule instanceof GroupRule) || parts.has(Guard.GROUPS);
  }

  /** Ends the process. A master that was replaced restarts. */
  private void end() {
    if (master.filter(Master::isReplaced).isPresent()) {
      parts.startAgain(host.machine());
    }
    host.machine().stop();
  }

  private LogSplitter splitter(String root) {
    return new LogSplitter(
            host.storage(), Storage.join(root, "data"), Storage.join(root, "oldWALs"))
        .publishing(
            task -> host.machine().spawn("recovery", task),
            host.machine().clock(),
            parts::fileName);
  }

  private MasterStoreOpening storeOpening() {
    return new MasterStoreOpening(
        host.storage(),
        splitter(RegionMasterStore.DIRECTORY),
        (logs, archive) ->
            GroupCommitWal.open(
                host.storage(),
                parts.log(Storage.join(logs, name.toString()), archive, name.toString()),
                host.machine().clock(),
                host.machine().threads("wal"),
                WalListener.NONE),
        (data, log) ->
            new RegionContext(
                data,
                log,
                host.stores(),
                parts.regionSettings(),
                MemoryAccount.unlimited(),
                MemStoreRoom.UNLIMITED));
  }

  private MasterStore openStore(long epoch, MasterContext.LeadCheck leads) throws IOException {
    return storeOpening().open(epoch, parts.has(Guard.LEADER) ? leads : () -> {});
  }

  private record Calls(RpcCaller caller, FreezePoint freezePoint) implements ServerCalls {
    private static final Set<String> ORDERS =
        Set.of("OpenRegion", "CloseRegion", "ExecuteProcedures", "Multi", "Mutate");

    @Override
    public <R extends Message> R call(
        ServerName server,
        String service,
        String method,
        Message request,
        R prototype,
        Duration timeout)
        throws IOException {
      if (ORDERS.contains(method)) {
        freezePoint.reached(Instant.ORDER_MADE);
      }
      return life(server).call(server.address(), service, method, request, prototype, timeout);
    }

    @Override
    public void hangUp(ServerName server) {
      life(server).hangUp(server.address());
    }

    private RpcCaller life(ServerName server) {
      return caller.ofLife(server.startCode());
    }

    @Override
    public void whenBroken(Consumer<String> listener) {
      caller.whenBroken(server -> listener.accept(server.getHostString() + ":" + server.getPort()));
    }
  }

  private final class Lifecycle implements MasterContext.Lifecycle {
    @Override
    public void stopMaster() {
      host.machine().stop();
    }

    @Override
    public void stopCluster() {
      host.machine().stop();
    }

    @Override
    public void abort(String reason, Throwable cause) {
      parts.note(name + " aborts: " + reason);
      parts.gaveUp(host.machine(), reason);
      host.machine().spawn("end", MasterProcess.this::end);
    }
  }

  /** A master's lanes, on the threads of its machine. */
  private static final class MachineLanes implements MasterLoop.Lanes {
    private final Machine machine;
    private final LaneQueues lanes;

    private MachineLanes(Machine machine) {
      this.machine = machine;
      this.lanes = new LaneQueues(action -> machine.spawn("lane", action));
    }

    @Override
    public void execute(Lane lane, Runnable action) {
      lanes.execute(lane, action);
    }

    @Override
    public void after(Duration delay, Runnable event) {
      try {
        machine.timer().schedule(event, delay.toNanos(), TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException e) {
        // The machine has stopped.
      }
    }
  }
}
