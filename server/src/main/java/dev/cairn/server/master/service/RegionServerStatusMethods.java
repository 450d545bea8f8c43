package dev.cairn.server.master.service;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.storage.FencingToken;
import dev.cairn.server.catalog.ClusterLevel;
import dev.cairn.server.catalog.LogWait;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.OpeningProblem;
import dev.cairn.server.catalog.RefusedRegions;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.StartedAgain;
import dev.cairn.server.coordination.YouAreDeadException;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.healing.Finding;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.rpc.service.CallInterceptor;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.server.rpc.wire.NamedException;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.GetLastFlushedSequenceIdRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.GetLastFlushedSequenceIdResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.GetLiveRegionServersRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.GetLiveRegionServersResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerReportRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerReportResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStartupRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStartupResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionSpaceUse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionSpaceUseReportRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionSpaceUseReportResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition.TransitionCode;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RemoteProcedureResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportProcedureDoneRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportProcedureDoneResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRSFatalErrorRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRSFatalErrorResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code RegionServerStatusService}: what region servers tell the master. */
final class RegionServerStatusMethods {
  private static final Logger LOG = LoggerFactory.getLogger(RegionServerStatusMethods.class);
  private static final String HOST_KEY = "hbase.regionserver.hostname.seen.by.master";
  private static final long NO_SEQUENCE = -1;

  /** The owner of splits that no client requested. */
  private static final String SPLIT_OWNER = "hbase";

  private RegionServerStatusMethods() {}

  private static CallSubject subject(RpcCall call, ReportRegionStateTransitionRequest request) {
    return CallSubject.regionsNamed(
        request.getTransitionList().stream()
            .flatMap(transition -> transition.getRegionInfoList().stream())
            .map(region -> Messages.regionInfo(region).regionName())
            .toList());
  }

  static RpcService service(MasterGate gate, ClockSkew skew, List<CallInterceptor> interceptors) {
    RpcService.Builder service =
        RpcService.builder(MethodTables.REGION_SERVER_STATUS, interceptors);
    MethodGroup rpc = new MethodGroup(service, gate);
    rpc.cluster("RegionServerStartup", RegionServerStartupRequest.getDefaultInstance())
        .handle((call, r) -> startup(gate, skew, call, r));
    rpc.cluster("RegionServerReport", RegionServerReportRequest.getDefaultInstance())
        .askEarly(
            (master, r) -> {
              ServerName server = ServerName.of(r.getServer());
              if (!master.members().reported(server, load(r), LogWait.read(r))) {
                refuseDead(master, server);
              } else if (r.hasLoad()) {
                master.assignments().refusing(server, RefusedRegions.read(r));
              }
              return RegionServerReportResponse.getDefaultInstance();
            });
    rpc.cluster("ReportRSFatalError", ReportRSFatalErrorRequest.getDefaultInstance())
        .handle((call, r) -> fatalError(gate, call, r));
    rpc.about(
            "ReportRegionStateTransition",
            ReportRegionStateTransitionRequest.getDefaultInstance(),
            RegionServerStatusMethods::subject)
        .handle((call, r) -> transitions(gate, call, r));
    rpc.cluster("ReportProcedureDone", ReportProcedureDoneRequest.getDefaultInstance())
        .handle((call, r) -> proceduresDone(gate, call, r));
    rpc.about(
            "GetLastFlushedSequenceId",
            GetLastFlushedSequenceIdRequest.getDefaultInstance(),
            (call, r) -> CallSubject.encodedRegion(r.getRegionName()))
        .askEarly((master, r) -> flushed(master, r.getRegionName().toStringUtf8()));
    rpc.cluster("ReportRegionSpaceUse", RegionSpaceUseReportRequest.getDefaultInstance())
        .ask(
            (master, r) -> {
              Map<String, Long> sizes = new HashMap<>();
              for (RegionSpaceUse use : r.getSpaceUseList()) {
                sizes.put(
                    Messages.regionInfo(use.getRegionInfo()).encodedName(), use.getRegionSize());
              }
              master.space().reported(sizes);
              return RegionSpaceUseReportResponse.getDefaultInstance();
            });
    rpc.cluster("GetLiveRegionServers", GetLiveRegionServersRequest.getDefaultInstance())
        .askEarly(
            (master, r) ->
                GetLiveRegionServersResponse.newBuilder()
                    .addAllServer(
                        master.servers().all().stream()
                            .limit(r.getCount())
                            .map(ServerName::message)
                            .toList())
                    .setTotal(master.servers().all().size())
                    .build());
    return service.build();
  }

  private static ReportRSFatalErrorResponse fatalError(
      MasterGate gate, RpcCall call, ReportRSFatalErrorRequest request) throws IOException {
    ServerName server = ServerName.of(request.getServer());
    Optional<StartedAgain> again = StartedAgain.of(request);
    if (again.isEmpty()) {
      LOG.warn("The region server {} stops: {}", server, request.getErrorMessage());
    }
    return gate.requestEarly(
        call,
        (master, future) -> {
          again.ifPresent(news -> master.report().add(List.of(finding(news))));
          master.members().suspect(server);
          future.complete(ReportRSFatalErrorResponse.getDefaultInstance());
        });
  }

  private static Optional<ServerLoad> load(RegionServerReportRequest request) {
    return request.hasLoad() ? Optional.of(request.getLoad()) : Optional.empty();
  }

  /** Takes the reports of orders to split logs; those of earlier masters have no effect. */
  private static ReportProcedureDoneResponse proceduresDone(
      MasterGate gate, RpcCall call, ReportProcedureDoneRequest request) throws IOException {
    for (RemoteProcedureResult result : request.getResultList()) {
      if (!result.hasInitiatingMasterActiveTime()
          || result.getInitiatingMasterActiveTime() < 0
          || result.getProcId() < 0) {
        throw new DoNotRetryIOException(
            "A report of a procedure needs the epoch of its master"
                + " (initiating_master_active_time) and a number (proc_id), both 0 or higher");
      }
    }
    return gate.requestEarly(
        call,
        (master, future) -> {
          for (RemoteProcedureResult result : request.getResultList()) {
            master
                .recoveries()
                .reported(
                    new FencingToken(result.getInitiatingMasterActiveTime(), result.getProcId()),
                    failure(result));
          }
          future.complete(ReportProcedureDoneResponse.getDefaultInstance());
        });
  }

  private static Optional<String> failure(RemoteProcedureResult result) {
    return result.getStatus() == RemoteProcedureResult.Status.SUCCESS
        ? Optional.empty()
        : Optional.of(result.getError().getGenericException().getMessage());
  }

  private static RegionServerStartupResponse startup(
      MasterGate gate, ClockSkew skew, RpcCall call, RegionServerStartupRequest request)
      throws IOException {
    String host =
        request.getUseThisHostnameInstead().isEmpty()
            ? call.remoteAddress().getHostString()
            : request.getUseThisHostnameInstead();
    ServerName server = new ServerName(host, request.getPort(), request.getServerStartCode());
    ClusterLevel level = gate.master().context().members().level();
    level.check("this master", "the region server " + server, ClusterLevel.of(request));
    skew.check(
        server,
        request.getServerCurrentTime(),
        gate.master().context().clock().currentTimeMillis());
    return gate.requestEarly(
        call,
        (master, future) -> {
          refuseDead(master, server);
          Optional<String> rejection = master.draining().rejection(server);
          if (rejection.isPresent()) {
            throw new NamedException(NamedException.DECOMMISSIONED_HOST, rejection.get());
          }
          master.members().reportedForDuty(server);
          RegionServerStartupResponse.Builder response =
              RegionServerStartupResponse.newBuilder()
                  .addMapEntries(
                      HBaseProtos.NameStringPair.newBuilder().setName(HOST_KEY).setValue(host));
          level.addTo(response);
          future.complete(response.build());
        });
  }

  private static Finding finding(StartedAgain news) {
    return new Finding(
        Finding.Kind.STARTED_AGAIN,
        news.earlier().toString(),
        news.reason(),
        "It restarted itself as " + news.now());
  }

  private static void refuseDead(ActiveMaster master, ServerName server) throws IOException {
    if (master.servers().isDead(server)) {
      throw new YouAreDeadException(
          server + " is considered dead, its regions are opened elsewhere; it must stop");
    }
  }

  private static ReportRegionStateTransitionResponse transitions(
      MasterGate gate, RpcCall call, ReportRegionStateTransitionRequest request)
      throws IOException {
    ServerName server = ServerName.of(request.getServer());
    return gate.requestEarly(
        call,
        (master, future) -> {
          refuseDead(master, server);
          transition(master, server, request, 0, future);
        });
  }

  /** Handles the transitions at {@code index} and after, one after another. */
  static void transition(
      ActiveMaster master,
      ServerName server,
      ReportRegionStateTransitionRequest request,
      int index,
      CompletableFuture<ReportRegionStateTransitionResponse> future)
      throws IOException {
    if (index == request.getTransitionCount()) {
      future.complete(ReportRegionStateTransitionResponse.getDefaultInstance());
      return;
    }
    RegionStateTransition transition = request.getTransition(index);
    boolean split = transition.getTransitionCode() == TransitionCode.READY_TO_SPLIT;
    if (transition.getRegionInfoCount() != (split ? 3 : 1)) {
      refuse(
          future,
          transition.getTransitionCode()
              + " of "
              + transition.getRegionInfoCount()
              + " regions is not supported");
      return;
    }
    RegionInfo region = Messages.regionInfo(transition.getRegionInfo(0));
    if (!region.isMeta()) {
      // Before, nothing is known of the region, and a refusal would close it.
      master.requireAssigning();
    }
    Completion next =
        Completion.of(
            () -> {
              try {
                transition(master, server, request, index + 1, future);
              } catch (IOException e) {
                future.completeExceptionally(e);
              }
            },
            cause -> refuse(future, cause.getMessage()));
    switch (transition.getTransitionCode()) {
      case OPENED ->
          master
              .assignments()
              .opened(
                  server,
                  region,
                  transition.getOpenSeqNum(),
                  OpeningProblem.read(transition),
                  order(transition),
                  next);
      case FAILED_OPEN ->
          master
              .assignments()
              .failedOpen(server, region, OpeningProblem.read(transition), order(transition), next);
      case CLOSED -> master.assignments().closed(server, region, order(transition), next);
      case READY_TO_SPLIT -> SplitReports.accept(master, server, transition, SPLIT_OWNER, next);
      default ->
          refuse(future, "Cairn does not support " + transition.getTransitionCode() + " yet");
    }
  }

  /** Returns the order that a report answers; empty if it names none. */
  private static Optional<FencingToken> order(RegionStateTransition transition) {
    long epoch = transition.getInitiatingMasterActiveTime();
    long number = transition.getProcIdCount() == 0 ? -1 : transition.getProcId(0);
    return epoch < 0 || number < 0
        ? Optional.empty()
        : Optional.of(new FencingToken(epoch, number));
  }

  private static void refuse(
      CompletableFuture<ReportRegionStateTransitionResponse> future, String reason) {
    future.complete(
        ReportRegionStateTransitionResponse.newBuilder().setErrorMessage(reason).build());
  }

  /**
   * Answers from the last report about a region: by the server that has it, or by a dead server
   * whose log is not recovered. A region has one owner at a time and its numbers never decrease, so
   * the report with the highest number is the latest.
   */
  private static GetLastFlushedSequenceIdResponse flushed(ActiveMaster master, String name) {
    GetLastFlushedSequenceIdResponse.Builder response =
        GetLastFlushedSequenceIdResponse.newBuilder().setLastFlushedSequenceId(NO_SEQUENCE);
    master
        .assignments()
        .find(name)
        .flatMap(
            node ->
                Stream.concat(
                        RegionMethods.load(master, node),
                        master.servers().lastReports(node.region().regionName()).stream())
                    .filter(RegionLoad::hasCompleteSequenceId)
                    .max(Comparator.comparingLong(RegionLoad::getCompleteSequenceId)))
        .ifPresent(
            load ->
                response
                    .setLastFlushedSequenceId(load.getCompleteSequenceId())
                    .addAllStoreLastFlushedSequenceId(load.getStoreCompleteSequenceIdList()));
    return response.build();
  }
}
