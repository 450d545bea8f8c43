package dev.cairn.server.master;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.BlockCache;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.StoreEnvironment;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.RegionShapes;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.coordination.Coordination;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.exceptions.RegionOpeningException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition.TransitionCode;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * A master with everything around it in one thread: its store, files and {@code hbase:meta} outlive
 * it, region servers do what they are told, and it can be killed after any action, or within one.
 */
final class SimulatedCluster implements ServerCalls {
  static final TableName TABLE = TableName.parse("orders");
  private static final int STEPS_MAX = 100_000;

  final SimulatedLanes lanes = new SimulatedLanes();
  final MemoryStorage storage = new MemoryStorage(lanes);
  final Map<String, byte[]> procedures = new TreeMap<>();
  final Map<String, byte[]> states = new TreeMap<>();
  final Map<String, byte[]> serverList = new TreeMap<>();
  final Map<String, byte[]> metaLocation = new TreeMap<>();
  final Map<String, byte[]> foreignProcedures = new TreeMap<>();

  /** What clients before 2.0 read of the tables' states. */
  final Map<TableName, HBaseProtos.TableState.State> publishedTables = new HashMap<>();

  final Map<ServerName, Map<String, RegionInfo>> servers = new TreeMap<>();
  final List<ServerName> recovered = new ArrayList<>();
  final Set<ServerName> logs = new HashSet<>();
  final List<String> aborts = new ArrayList<>();

  /** Regions, by encoded name, that fail to open so many times more. */
  final Map<String, Integer> failingOpens = new TreeMap<>();

  /** Regions, by encoded name, whose server says so many times more that they are opening. */
  final Map<String, Integer> slowlyListed = new TreeMap<>();

  private final SystemRows meta = new SystemRows();
  private final SystemRows namespaces = new SystemRows();

  /** A system table: row, column, value; and the newest delete of a row's family. */
  private static final class SystemRows {
    final TreeMap<byte[], TreeMap<String, CellProtos.Cell>> rows =
        new TreeMap<>(Arrays::compareUnsigned);
    final Map<String, Long> deletes = new TreeMap<>();
  }

  private ClusterState state = ClusterState.EMPTY;
  private Optional<Coordination.Listener> listener = Optional.empty();
  private long storageOperationsLeft = Long.MAX_VALUE;
  private boolean died;
  private int masters;
  private long storeFiles;
  Master master;

  /** Ends a master in the middle of an action. */
  private static final class Killed extends Error {}

  void addServer(ServerName server) {
    servers.put(server, new TreeMap<>());
    logs.add(server);
    membersChanged();
  }

  void killServer(ServerName server) {
    servers.remove(server);
    membersChanged();
  }

  private void membersChanged() {
    state =
        new ClusterState(
            state.clusterId(),
            state.activeMaster(),
            List.of(),
            state.metaLocation(),
            Set.copyOf(servers.keySet()),
            state.up());
    listener.ifPresent(one -> one.changed(state));
  }

  void startMaster() throws IOException {
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
              return false;
            });
    ServerName self = new ServerName("master", 16000, ++masters);
    master =
        Master.simulated(
            self,
            new MasterWorld(
                lanes,
                mortal,
                new RegionShapes(stores(mortal)),
                new Members(),
                this,
                new Logs(),
                Store::new,
                schema -> {},
                false,
                1,
                () -> new UUID(1, 2),
                new MasterWorld.Lifecycle() {
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

  private StoreEnvironment stores(Storage files) {
    return new StoreEnvironment(
        files,
        new BlockCache(0, Runnable::run),
        lanes,
        () -> "%032x".formatted(++storeFiles),
        new EngineListener() {},
        StoreSettings.DEFAULTS);
  }

  /** Ends the master at once; what it asked for and did not get done is not done. */
  void killMaster() {
    master.loop().close();
    listener = Optional.empty();
    lanes.dropActions();
  }

  /** Lets the n-th storage operation from now be the master's last. */
  void dieAfterStorageOperations(long n) {
    storageOperationsLeft = n;
  }

  boolean isDead() {
    return died;
  }

  ActiveMaster active() {
    return master.active().orElseThrow();
  }

  /** Runs one event or action. Returns false if nothing is to do without time passing. */
  boolean step() {
    boolean any = master.poll();
    try {
      any |= lanes.runAction();
    } catch (Killed e) {
      return false;
    }
    return any;
  }

  void runUntil(BooleanSupplier condition) {
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
  void letTimePass(Duration duration) {
    long end = lanes.nanoTime() + duration.toNanos();
    while (step() || lanes.passTime(Duration.ofNanos(end - lanes.nanoTime()))) {
      continue;
    }
  }

  void startUp() throws IOException {
    startMaster();
    runUntil(() -> master.isInitialized());
  }

  CompletableFuture<Long> submit(Procedure procedure) {
    return submit(procedure, Optional.empty());
  }

  CompletableFuture<Long> submit(Procedure procedure, Optional<ProcedureRecord.Nonce> nonce) {
    CompletableFuture<Long> future = new CompletableFuture<>();
    master.loop().post(() -> active().procedures().submit(procedure, "user", nonce, future));
    return future;
  }

  boolean isIdle() {
    return master.isInitialized()
        && active().procedures().locks().isEmpty()
        && active().assignments().all().stream().noneMatch(RegionNode::isInTransition);
  }

  /** Runs a procedure to its end. */
  void run(Procedure procedure) {
    CompletableFuture<Long> id = submit(procedure);
    runUntil(() -> id.isDone() && isIdle());
    id.join();
  }

  Procedure createTable(String... splitKeys) {
    return new CreateTableProcedure(
        active().environment(),
        "user",
        TableSchema.of(TABLE, FamilySchema.of("a"), FamilySchema.of("b")),
        Arrays.stream(splitKeys).map(Bytes::utf8).toList());
  }

  Procedure setEnabled(boolean enabled) {
    return new TableStateProcedure(active().environment(), "user", TABLE, enabled);
  }

  /** Returns the regions of the table that servers have open. */
  Set<String> openRegions() {
    Set<String> open = new TreeSet<>();
    for (Map<String, RegionInfo> hosted : servers.values()) {
      for (RegionInfo region : hosted.values()) {
        if (region.table().equals(TABLE) && !open.add(region.encodedName())) {
          throw new AssertionError(region + " is open twice");
        }
      }
    }
    return open;
  }

  /** Returns what meta says: one line per row that has something. */
  List<String> metaRows() {
    List<String> rows = new ArrayList<>();
    meta.rows.forEach(
        (row, columns) -> {
          if (!columns.isEmpty() && !Bytes.utf8(row).startsWith("hbase:namespace")) {
            rows.add(Bytes.toStringBinary(row));
          }
        });
    return rows;
  }

  boolean hasFiles() throws IOException {
    return new TableFiles(storage).exists(TABLE);
  }

  @Override
  public <R extends Message> R call(
      ServerName server, String service, String method, Message request, R responsePrototype)
      throws IOException {
    Map<String, RegionInfo> hosted = servers.get(server);
    if (hosted == null) {
      throw new ConnectException(server + " is not there");
    }
    Message response =
        switch (method) {
          case "OpenRegion" -> open(server, hosted, (AdminProtos.OpenRegionRequest) request);
          case "CloseRegion" -> close(server, hosted, (AdminProtos.CloseRegionRequest) request);
          case "GetRegionInfo" ->
              AdminProtos.GetRegionInfoResponse.newBuilder()
                  .setRegionInfo(Messages.message(RegionInfo.META))
                  .setMergeable(true)
                  .build();
          case "FlushRegion" ->
              AdminProtos.FlushRegionResponse.newBuilder().setLastFlushTime(1).build();
          case "Scan" -> scan(hosted, (ClientProtos.ScanRequest) request);
          case "Multi" -> multi(hosted, (ClientProtos.MultiRequest) request);
          default -> throw new IOException("No method " + method);
        };
    @SuppressWarnings("unchecked")
    R answer = (R) response;
    return answer;
  }

  private Message open(
      ServerName server, Map<String, RegionInfo> hosted, AdminProtos.OpenRegionRequest request) {
    AdminProtos.OpenRegionResponse.Builder response = AdminProtos.OpenRegionResponse.newBuilder();
    for (AdminProtos.OpenRegionRequest.RegionOpenInfo info : request.getOpenInfoList()) {
      RegionInfo region = Messages.regionInfo(info.getRegion());
      if (hosted.containsKey(region.encodedName())) {
        response.addOpeningState(AdminProtos.OpenRegionResponse.RegionOpeningState.ALREADY_OPENED);
        continue;
      }
      response.addOpeningState(AdminProtos.OpenRegionResponse.RegionOpeningState.OPENED);
      int failures = failingOpens.getOrDefault(region.encodedName(), 0);
      if (failures > 0) {
        failingOpens.put(region.encodedName(), failures - 1);
        report(server, region, TransitionCode.FAILED_OPEN);
      } else {
        hosted.put(region.encodedName(), region);
        report(server, region, TransitionCode.OPENED);
      }
    }
    return response.build();
  }

  private Message close(
      ServerName server, Map<String, RegionInfo> hosted, AdminProtos.CloseRegionRequest request)
      throws IOException {
    for (RegionInfo region : List.copyOf(hosted.values())) {
      if (Arrays.equals(region.regionName(), request.getRegion().getValue().toByteArray())) {
        int more = slowlyListed.getOrDefault(region.encodedName(), 0);
        if (more > 0) {
          slowlyListed.put(region.encodedName(), more - 1);
          throw new RegionOpeningException(region + " is opening");
        }
        hosted.remove(region.encodedName());
        report(server, region, TransitionCode.CLOSED);
        return AdminProtos.CloseRegionResponse.newBuilder().setClosed(true).build();
      }
    }
    throw new NotServingRegionException("not here");
  }

  /** Reports until a master accepts, as a region server does. */
  private void report(ServerName server, RegionInfo region, TransitionCode code) {
    ReportRegionStateTransitionRequest request =
        ReportRegionStateTransitionRequest.newBuilder()
            .setServer(server.message())
            .addTransition(
                RegionStateTransition.newBuilder()
                    .setTransitionCode(code)
                    .setOpenSeqNum(7)
                    .addRegionInfo(Messages.message(region)))
            .build();
    CompletableFuture<ReportRegionStateTransitionResponse> answer = new CompletableFuture<>();
    Master told = master;
    told.loop()
        .post(
            () -> {
              try {
                RegionServerStatusMethods.transition(
                    told.active().orElseThrow(() -> new IOException("not yet")),
                    server,
                    request,
                    0,
                    answer);
              } catch (IOException e) {
                answer.completeExceptionally(e);
              }
            });
    lanes.after(
        Duration.ofSeconds(1),
        () -> {
          if ((!answer.isDone() && told != master) || answer.isCompletedExceptionally()) {
            if (servers.containsKey(server)) {
              report(server, region, code);
            }
          }
        });
    answer.thenAccept(
        response -> {
          if (response.hasErrorMessage() && servers.containsKey(server)) {
            servers.get(server).remove(region.encodedName());
          }
        });
  }

  private Message scan(Map<String, RegionInfo> hosted, ClientProtos.ScanRequest request)
      throws IOException {
    ClientProtos.ScanResponse.Builder response =
        ClientProtos.ScanResponse.newBuilder().setMoreResults(false);
    for (TreeMap<String, CellProtos.Cell> row : find(hosted, request.getRegion()).rows.values()) {
      if (!row.isEmpty()) {
        response.addResults(ClientProtos.Result.newBuilder().addAllCell(row.values()));
      }
    }
    return response.build();
  }

  private Message multi(Map<String, RegionInfo> hosted, ClientProtos.MultiRequest request)
      throws IOException {
    SystemRows rows = find(hosted, request.getRegionAction(0).getRegion());
    ClientProtos.RegionActionResult.Builder results = ClientProtos.RegionActionResult.newBuilder();
    for (ClientProtos.Action action : request.getRegionAction(0).getActionList()) {
      mutate(rows, action.getMutation());
      results.addResultOrException(
          ClientProtos.ResultOrException.newBuilder().setIndex(action.getIndex()));
    }
    return ClientProtos.MultiResponse.newBuilder().addRegionActionResult(results).build();
  }

  private static void mutate(SystemRows table, ClientProtos.MutationProto mutation) {
    byte[] row = mutation.getRow().toByteArray();
    TreeMap<String, CellProtos.Cell> columns =
        table.rows.computeIfAbsent(row, key -> new TreeMap<>());
    for (ClientProtos.MutationProto.ColumnValue family : mutation.getColumnValueList()) {
      String prefix = family.getFamily().toStringUtf8() + ":";
      String marker = Bytes.toStringBinary(row) + "/" + prefix;
      for (var value : family.getQualifierValueList()) {
        if (mutation.getMutateType() == ClientProtos.MutationProto.MutationType.DELETE) {
          boolean all =
              value.getDeleteType() == ClientProtos.MutationProto.DeleteType.DELETE_FAMILY;
          String column = prefix + value.getQualifier().toStringUtf8();
          if (all) {
            table.deletes.merge(marker, value.getTimestamp(), Math::max);
          }
          columns
              .entrySet()
              .removeIf(
                  cell ->
                      (all ? cell.getKey().startsWith(prefix) : cell.getKey().equals(column))
                          && cell.getValue().getTimestamp() <= value.getTimestamp());
        } else if (value.getTimestamp() > table.deletes.getOrDefault(marker, -1L)) {
          columns.put(
              prefix + value.getQualifier().toStringUtf8(),
              CellProtos.Cell.newBuilder()
                  .setRow(mutation.getRow())
                  .setFamily(family.getFamily())
                  .setQualifier(value.getQualifier())
                  .setTimestamp(value.getTimestamp())
                  .setValue(value.getValue())
                  .build());
        }
      }
    }
  }

  /** Returns the rows of the system table whose region is asked for, if it is open here. */
  private SystemRows find(Map<String, RegionInfo> hosted, HBaseProtos.RegionSpecifier wanted)
      throws IOException {
    for (RegionInfo region : hosted.values()) {
      if (Arrays.equals(region.regionName(), wanted.getValue().toByteArray())) {
        return region.table().isMeta() ? meta : namespaces;
      }
    }
    throw new NotServingRegionException(wanted.getValue().toStringUtf8() + " is not here");
  }

  Optional<HBaseProtos.TableState.State> tableState() {
    return active().tables().find(TABLE).map(Tables.Table::state);
  }

  private final class Logs implements DeadServerLogs {
    @Override
    public List<ServerName> servers() {
      return List.copyOf(logs);
    }

    @Override
    public void recover(ServerName dead) {
      if (servers.containsKey(dead)) {
        throw new AssertionError("The log of the living server " + dead + " is taken away");
      }
      logs.remove(dead);
      recovered.add(dead);
    }
  }

  private final class Store implements MasterStore {
    private Map<String, byte[]> of(Section section) {
      return switch (section) {
        case PROCEDURE -> procedures;
        case STATE -> states;
        case SERVER -> serverList;
        case META -> metaLocation;
        case FOREIGN_PROCEDURE -> foreignProcedures;
      };
    }

    @Override
    public void apply(List<Change> changes) {
      for (Change change : changes) {
        String key = Bytes.toStringBinary(change.row());
        if (change.value().isPresent()) {
          of(change.section()).put(key, change.value().get());
        } else {
          of(change.section()).remove(key);
        }
      }
    }

    @Override
    public List<Entry> read(Section section) {
      List<Entry> entries = new ArrayList<>();
      of(section).forEach((row, value) -> entries.add(new Entry(Bytes.utf8(row), value)));
      return entries;
    }

    @Override
    public void close() {}
  }

  private final class Members implements Coordination {
    @Override
    public ClusterState state() {
      return state;
    }

    @Override
    public void listen(Listener one) {
      listener = Optional.of(one);
    }

    @Override
    public void registerMaster(ServerName self, int infoPort) {
      state =
          new ClusterState(
              state.clusterId(),
              Optional.of(self),
              List.of(),
              state.metaLocation(),
              state.regionServers(),
              true);
    }

    @Override
    public void registerRegionServer(ServerName self, int infoPort) {
      addServer(self);
    }

    @Override
    public void unregisterRegionServer(ServerName server) {
      killServer(server);
    }

    @Override
    public void publishMetaLocation(ServerName server) {
      state =
          new ClusterState(
              state.clusterId(),
              state.activeMaster(),
              List.of(),
              Optional.of(server),
              state.regionServers(),
              true);
    }

    @Override
    public void publishClusterId(String clusterId) {
      state =
          new ClusterState(
              Optional.of(clusterId),
              state.activeMaster(),
              List.of(),
              state.metaLocation(),
              state.regionServers(),
              true);
    }

    @Override
    public void publishClusterUp(boolean up) {}

    @Override
    public void publishTableStates(Map<TableName, HBaseProtos.TableState.State> states) {
      publishedTables.clear();
      publishedTables.putAll(states);
    }

    @Override
    public void publishTableState(TableName table, Optional<HBaseProtos.TableState.State> state) {
      state.ifPresentOrElse(
          now -> publishedTables.put(table, now), () -> publishedTables.remove(table));
    }

    @Override
    public void close() {}
  }
}
