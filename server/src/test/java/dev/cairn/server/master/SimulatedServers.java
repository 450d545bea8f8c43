package dev.cairn.server.master;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.remote.ServerCalls;
import dev.cairn.server.master.service.ReportedTransitions;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.exceptions.RegionOpeningException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition.TransitionCode;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Region servers that do what a master tells them, at once, and report it to the master of the
 * moment until one accepts.
 */
public final class SimulatedServers implements ServerCalls {
  /** The servers that live, with the regions that each has open, by encoded name. */
  public final Map<ServerName, Map<String, RegionInfo>> hosted = new TreeMap<>();

  /** Regions, by encoded name, that fail to open so many times more. */
  public final Map<String, Integer> failingOpens = new TreeMap<>();

  /** Regions, by encoded name, whose server says so many times more that they are opening. */
  public final Map<String, Integer> slowlyListed = new TreeMap<>();

  final SimulatedTable meta = new SimulatedTable();
  private final SimulatedTable namespaces = new SimulatedTable();
  private final SimulatedLanes lanes;
  private final Supplier<Master> master;

  SimulatedServers(SimulatedLanes lanes, Supplier<Master> master) {
    this.lanes = lanes;
    this.master = master;
  }

  @Override
  public <R extends Message> R call(
      ServerName server, String service, String method, Message request, R responsePrototype)
      throws IOException {
    Map<String, RegionInfo> regions = hosted.get(server);
    if (regions == null) {
      throw new ConnectException(server + " is not there");
    }
    Message response =
        switch (method) {
          case "OpenRegion" -> open(server, regions, (AdminProtos.OpenRegionRequest) request);
          case "CloseRegion" -> close(server, regions, (AdminProtos.CloseRegionRequest) request);
          case "GetRegionInfo" ->
              AdminProtos.GetRegionInfoResponse.newBuilder()
                  .setRegionInfo(Messages.message(RegionInfo.META))
                  .setMergeable(true)
                  .build();
          case "FlushRegion" ->
              AdminProtos.FlushRegionResponse.newBuilder().setLastFlushTime(1).build();
          case "Scan" -> find(regions, ((ClientProtos.ScanRequest) request).getRegion()).scan();
          case "Multi" -> multi(regions, (ClientProtos.MultiRequest) request);
          default -> throw new IOException("No method " + method);
        };
    @SuppressWarnings("unchecked")
    R answer = (R) response;
    return answer;
  }

  private Message open(
      ServerName server, Map<String, RegionInfo> regions, AdminProtos.OpenRegionRequest request) {
    AdminProtos.OpenRegionResponse.Builder response = AdminProtos.OpenRegionResponse.newBuilder();
    for (AdminProtos.OpenRegionRequest.RegionOpenInfo info : request.getOpenInfoList()) {
      RegionInfo region = Messages.regionInfo(info.getRegion());
      if (regions.containsKey(region.encodedName())) {
        response.addOpeningState(AdminProtos.OpenRegionResponse.RegionOpeningState.ALREADY_OPENED);
        continue;
      }
      response.addOpeningState(AdminProtos.OpenRegionResponse.RegionOpeningState.OPENED);
      int failures = failingOpens.getOrDefault(region.encodedName(), 0);
      if (failures > 0) {
        failingOpens.put(region.encodedName(), failures - 1);
        report(server, region, TransitionCode.FAILED_OPEN);
      } else {
        regions.put(region.encodedName(), region);
        report(server, region, TransitionCode.OPENED);
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
    lanes.after(
        Duration.ofSeconds(1),
        () -> {
          if ((!answer.isDone() && told != master.get()) || answer.isCompletedExceptionally()) {
            if (hosted.containsKey(server)) {
              report(server, region, code);
            }
          }
        });
    answer.thenAccept(
        response -> {
          if (response.hasErrorMessage() && hosted.containsKey(server)) {
            hosted.get(server).remove(region.encodedName());
          }
        });
  }

  private Message multi(Map<String, RegionInfo> regions, ClientProtos.MultiRequest request)
      throws IOException {
    return find(regions, request.getRegionAction(0).getRegion()).multi(request);
  }

  /** Returns the system table whose region is asked for, if it is open here. */
  private SimulatedTable find(Map<String, RegionInfo> regions, HBaseProtos.RegionSpecifier wanted)
      throws IOException {
    for (RegionInfo region : regions.values()) {
      if (Arrays.equals(region.regionName(), wanted.getValue().toByteArray())) {
        return region.table().isMeta() ? meta : namespaces;
      }
    }
    throw new NotServingRegionException(wanted.getValue().toStringUtf8() + " is not here");
  }
}
