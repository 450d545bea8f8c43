package dev.cairn.server.master;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.FencingToken;
import dev.cairn.server.catalog.ExpectedField;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.OpeningProblem;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.remote.ServerCalls;
import dev.cairn.server.master.service.ReportedTransitions;
import dev.cairn.server.rpc.client.ConnectionRefusedException;
import dev.cairn.server.walsplit.SplitOrder;
import java.io.IOException;
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
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.exceptions.RegionOpeningException;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hadoop.hbase.regionserver.RegionServerStoppedException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.SnapshotRegionParameter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition.TransitionCode;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Region servers that do what a master tells them, at once, and report it to the master of the
 * moment until one accepts.
 */
public final class SimulatedServers implements ServerCalls {
  /** The servers that live, with the regions that each has open, by encoded name. */
  public final Map<ServerName, Map<String, RegionInfo>> hosted = new TreeMap<>();

  /** The servers that answer nobody, though their sessions live. */
  public final Set<ServerName> silent = new HashSet<>();

  /** The servers whose logs a master may take away although they answer. */
  public final Set<ServerName> stuck = new HashSet<>();

  /** The servers that take no orders to open regions, because they stop. */
  public final Set<ServerName> stopping = new HashSet<>();

  /** Regions, by encoded name, that fail to open so many times more. */
  public final Map<String, Integer> failingOpens = new TreeMap<>();

  /**
   * Regions, by encoded name, that so many times more are reported as open and then cannot serve.
   */
  public final Map<String, Integer> failingBegins = new TreeMap<>();

  /** Regions, by encoded name, whose server says so many times more that they are opening. */
  public final Map<String, Integer> slowlyListed = new TreeMap<>();

  /** The destination of each region, by encoded name, from the last order to close it. */
  public final Map<String, ServerName> destinations = new TreeMap<>();

  /** Sends each report of the past once more. */
  public final List<Runnable> reports = new ArrayList<>();

  /** Receives the orders to split a log. */
  public BiConsumer<ServerName, List<SplitOrder>> splitting =
      (server, orders) -> {
        throw new AssertionError(server + " is to split a log");
      };

  /** The servers that were asked to warm up regions, by the regions' encoded names. */
  public final Map<String, ServerName> warmUps = new TreeMap<>();

  /** The encoded names of the regions that closed and were expected at their next server. */
  public final Set<String> expected = new HashSet<>();

  /** The servers at which warm-ups fail. */
  public final Set<ServerName> cold = new HashSet<>();

  /** The number of next requests for snapshots of regions that are lost. */
  public int lostSnapshots;

  /** The table whose next write times out and is done later; null for none. */
  public TableName delayed;

  /** The writes that timed out and are still to be done. */
  public final List<Callable<?>> late = new ArrayList<>();

  private final Map<String, FencingToken> latestOpens = new TreeMap<>();
  public final SimulatedTable meta = new SimulatedTable();
  private final Map<TableName, SimulatedTable> systemTables = new HashMap<>();
  private final SimulatedLanes lanes;
  private Consumer<String> broken = address -> {};
  private final Supplier<Master> master;

  SimulatedServers(SimulatedLanes lanes, Supplier<Master> master) {
    this.lanes = lanes;
    this.master = master;
  }

  @Override
  public <R extends Message> R call(
      ServerName server,
      String service,
      String method,
      Message request,
      R responsePrototype,
      Duration timeout)
      throws IOException {
    Map<String, RegionInfo> regions = hosted.get(server);
    if (regions == null) {
      throw new ConnectionRefusedException(server + " is not there");
    }
    if (silent.contains(server)) {
      throw new CallTimeoutException(server + " does not answer");
    }
    if (method.equals("SnapshotRegion") && lostSnapshots > 0) {
      lostSnapshots--;
      lanes.pass(timeout);
      throw new CallTimeoutException(server + " has not answered in time");
    }
    Message response =
        switch (method) {
          case "OpenRegion" -> open(server, regions, (AdminProtos.OpenRegionRequest) request);
          case "ExecuteProcedures" -> split(server, (AdminProtos.ExecuteProceduresRequest) request);
          case "CloseRegion" -> close(server, regions, (AdminProtos.CloseRegionRequest) request);
          case "GetServerInfo" ->
              AdminProtos.GetServerInfoResponse.newBuilder()
                  .setServerInfo(
                      AdminProtos.ServerInfo.newBuilder().setServerName(server.message()))
                  .build();
          case "GetRegionInfo" ->
              AdminProtos.GetRegionInfoResponse.newBuilder()
                  .setRegionInfo(Messages.message(RegionInfo.META))
                  .setMergeable(true)
                  .build();
          case "GetOnlineRegion" ->
              AdminProtos.GetOnlineRegionResponse.newBuilder()
                  .addAllRegionInfo(regions.values().stream().map(Messages::message).toList())
                  .build();
          case "FlushRegion" ->
              AdminProtos.FlushRegionResponse.newBuilder().setLastFlushTime(1).build();
          case "GetStoreFile" -> AdminProtos.GetStoreFileResponse.getDefaultInstance();
          case "WarmupRegion" -> warmUp(server, (AdminProtos.WarmupRegionRequest) request);
          case "SnapshotRegion" -> snapshot(regions, (SnapshotRegionParameter) request);
          case "Scan" -> find(regions, ((ClientProtos.ScanRequest) request).getRegion()).scan();
          case "Multi" -> multi(regions, (ClientProtos.MultiRequest) request);
          default -> throw new IOException("No method " + method);
        };
    @SuppressWarnings("unchecked")
    R answer = (R) response;
    return answer;
  }

  @Override
  public void hangUp(ServerName server) {
    // Calls are answered at once.
  }

  @Override
  public void whenBroken(Consumer<String> listener) {
    broken = listener;
  }

  /** Breaks the connections to a server. */
  public void breakConnections(ServerName server) {
    broken.accept(server.hostAndPort());
  }

  private Message split(ServerName server, AdminProtos.ExecuteProceduresRequest request)
      throws IOException {
    List<SplitOrder> orders = new ArrayList<>();
    for (AdminProtos.RemoteProcedureRequest procedure : request.getProcList()) {
      orders.add(SplitOrder.of(procedure));
    }
    splitting.accept(server, orders);
    return AdminProtos.ExecuteProceduresResponse.getDefaultInstance();
  }

  private Message warmUp(ServerName server, AdminProtos.WarmupRegionRequest request)
      throws IOException {
    warmUps.put(Messages.regionInfo(request.getRegionInfo()).encodedName(), server);
    if (cold.contains(server)) {
      throw new IOException("The disk is slow");
    }
    return AdminProtos.WarmupRegionResponse.getDefaultInstance();
  }

  private Message open(
      ServerName server, Map<String, RegionInfo> regions, AdminProtos.OpenRegionRequest request)
      throws IOException {
    if (stopping.contains(server)) {
      throw new RegionServerStoppedException("Server " + server + " is stopping");
    }
    AdminProtos.OpenRegionResponse.Builder response = AdminProtos.OpenRegionResponse.newBuilder();
    for (AdminProtos.OpenRegionRequest.RegionOpenInfo info : request.getOpenInfoList()) {
      RegionInfo region = Messages.regionInfo(info.getRegion());
      latestOpens.put(server + region.encodedName(), order(request, info));
      if (regions.containsKey(region.encodedName())) {
        response.addOpeningState(AdminProtos.OpenRegionResponse.RegionOpeningState.ALREADY_OPENED);
        continue;
      }
      response.addOpeningState(AdminProtos.OpenRegionResponse.RegionOpeningState.OPENED);
      int failures = failingOpens.getOrDefault(region.encodedName(), 0);
      if (failures > 0) {
        failingOpens.put(region.encodedName(), failures - 1);
        report(server, region, TransitionCode.FAILED_OPEN, order(request, info));
      } else {
        regions.put(region.encodedName(), region);
        report(server, region, TransitionCode.OPENED, order(request, info));
      }
    }
    return response.build();
  }

  private Message close(
      ServerName server, Map<String, RegionInfo> regions, AdminProtos.CloseRegionRequest request)
      throws IOException {
    for (RegionInfo region : List.copyOf(regions.values())) {
      if (Arrays.equals(region.regionName(), request.getRegion().getValue().toByteArray())) {
        int more = slowlyListed.getOrDefault(region.encodedName(), 0);
        if (more > 0) {
          slowlyListed.put(region.encodedName(), more - 1);
          throw new RegionOpeningException(region + " is opening");
        }
        regions.remove(region.encodedName());
        if (ExpectedField.isIn(request)) {
          expected.add(region.encodedName());
        }
        if (request.hasDestinationServer()) {
          destinations.put(region.encodedName(), ServerName.of(request.getDestinationServer()));
        } else {
          destinations.remove(region.encodedName());
        }
        report(
            server,
            region,
            TransitionCode.CLOSED,
            new FencingToken(request.getInitiatingMasterActiveTime(), request.getCloseProcId()));
        return AdminProtos.CloseRegionResponse.newBuilder().setClosed(true).build();
      }
    }
    throw new NotServingRegionException("not here");
  }

  private static FencingToken order(
      AdminProtos.OpenRegionRequest request, AdminProtos.OpenRegionRequest.RegionOpenInfo info) {
    return new FencingToken(request.getInitiatingMasterActiveTime(), info.getOpenProcId());
  }

  /** Reports until a master accepts, as a region server does. */
  public void report(
      ServerName server, RegionInfo region, TransitionCode code, FencingToken order) {
    report(server, region, code, Optional.empty(), order);
  }

  private void report(
      ServerName server,
      RegionInfo region,
      TransitionCode code,
      Optional<OpeningProblem> problem,
      FencingToken order) {
    reports.add(() -> report(server, region, code, problem, order));
    RegionStateTransition.Builder transition =
        RegionStateTransition.newBuilder()
            .setTransitionCode(code)
            .setOpenSeqNum(7)
            .addProcId(order.order())
            .setInitiatingMasterActiveTime(order.epoch())
            .addRegionInfo(Messages.message(region));
    problem.ifPresent(one -> one.write(transition));
    ReportRegionStateTransitionRequest request =
        ReportRegionStateTransitionRequest.newBuilder()
            .setServer(server.message())
            .addTransition(transition)
            .build();
    CompletableFuture<ReportRegionStateTransitionResponse> answer = new CompletableFuture<>();
    Master told = master.get();
    told.loop()
        .post(
            () -> {
              try {
                ReportedTransitions.accept(
                    told.active().orElseThrow(() -> new IOException("not yet")),
                    server,
                    request,
                    answer);
              } catch (IOException e) {
                answer.completeExceptionally(e);
              }
            });
    repeatUnlessAnswered(answer, told, () -> report(server, region, code, problem, order), server);
    answer.thenAccept(
        response -> {
          if (response.hasErrorMessage() && hosted.containsKey(server)) {
            FencingToken latest = latestOpens.getOrDefault(server + region.encodedName(), order);
            if (code == TransitionCode.OPENED && latest.compareTo(order) > 0) {
              report(server, region, code, latest);
            } else {
              hosted.get(server).remove(region.encodedName());
            }
          } else if (code == TransitionCode.OPENED) {
            begin(server, region, order);
          }
        });
  }

  /** Repeats a report, once it has failed or its master has gone. */
  private void repeatUnlessAnswered(
      CompletableFuture<?> answer, Master told, Runnable report, ServerName server) {
    lanes.after(
        Duration.ofSeconds(1),
        () -> {
          if (!hosted.containsKey(server)) {
            return;
          }
          if (answer.isCompletedExceptionally() || !answer.isDone() && told != master.get()) {
            report.run();
          } else if (!answer.isDone()) {
            repeatUnlessAnswered(answer, told, report, server);
          }
        });
  }

  /** Lets a region serve, or reports that it cannot. */
  private void begin(ServerName server, RegionInfo region, FencingToken order) {
    int failures = failingBegins.getOrDefault(region.encodedName(), 0);
    Map<String, RegionInfo> regions = hosted.getOrDefault(server, Map.of());
    if (failures > 0 && regions.containsKey(region.encodedName())) {
      failingBegins.put(region.encodedName(), failures - 1);
      regions.remove(region.encodedName());
      OpeningProblem problem = new OpeningProblem("the disk is slow", false);
      report(server, region, TransitionCode.FAILED_OPEN, Optional.of(problem), order);
    }
  }

  /** Answers without files. */
  private static Message snapshot(Map<String, RegionInfo> regions, SnapshotRegionParameter request)
      throws IOException {
    RegionInfo region = Messages.regionInfo(request.getRegion());
    if (!regions.containsKey(region.encodedName())) {
      throw new NotServingRegionException(region + " is not here");
    }
    return SnapshotRegionManifest.newBuilder().setRegionInfo(request.getRegion()).build();
  }

  private Message multi(Map<String, RegionInfo> regions, ClientProtos.MultiRequest request)
      throws IOException {
    SimulatedTable table = find(regions, request.getRegionAction(0).getRegion());
    if (table == systemTables.get(delayed)) {
      delayed = null;
      late.add(() -> table.multi(request));
      throw new CallTimeoutException("The server has not answered in time");
    }
    return table.multi(request);
  }

  /** Returns the system table whose region is asked for, if it is open here. */
  private SimulatedTable find(Map<String, RegionInfo> regions, HBaseProtos.RegionSpecifier wanted)
      throws IOException {
    for (RegionInfo region : regions.values()) {
      if (Arrays.equals(region.regionName(), wanted.getValue().toByteArray())) {
        return region.table().isMeta()
            ? meta
            : systemTables.computeIfAbsent(region.table(), table -> new SimulatedTable());
      }
    }
    throw new NotServingRegionException(wanted.getValue().toStringUtf8() + " is not here");
  }
}
