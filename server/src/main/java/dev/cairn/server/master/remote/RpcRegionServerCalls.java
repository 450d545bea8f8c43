package dev.cairn.server.master.remote;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ExpectedField;
import dev.cairn.server.catalog.HotBlocksField;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.walsplit.SplitOrder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CloseRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CloseRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CompactRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CompactRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ExecuteProceduresRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ExecuteProceduresResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.FlushRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.FlushRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetOnlineRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetOnlineRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetRegionInfoRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetRegionInfoResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetRegionLoadRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetRegionLoadResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetStoreFileRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetStoreFileResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.OpenRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.OpenRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.WarmupRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.WarmupRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.SnapshotRegionParameter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;

/** Calls {@code AdminService} of region servers. */
public final class RpcRegionServerCalls implements RegionServerCalls {
  private static final String SERVICE = "AdminService";

  /** Shorter than for other calls, because another server can split the log. */
  private static final Duration SPLIT_TIMEOUT = Duration.ofSeconds(10);

  private final ServerCalls calls;
  private final long epoch;

  /**
   * Creates it on top of {@code calls}.
   *
   * @param epoch the epoch of the master that calls; servers that know of a higher one refuse its
   *     orders
   */
  public RpcRegionServerCalls(ServerCalls calls, long epoch) {
    this.calls = calls;
    this.epoch = epoch;
  }

  @Override
  public List<Opening> open(ServerName server, List<Order> orders) throws IOException {
    OpenRegionRequest.Builder request =
        OpenRegionRequest.newBuilder()
            .setServerStartCode(server.startCode())
            .setInitiatingMasterActiveTime(epoch);
    for (Order order : orders) {
      request.addOpenInfo(
          OpenRegionRequest.RegionOpenInfo.newBuilder()
              .setRegion(Messages.message(order.region()))
              .setOpenProcId(order.number()));
    }
    OpenRegionResponse response =
        calls.call(
            server,
            SERVICE,
            "OpenRegion",
            request.build(),
            OpenRegionResponse.getDefaultInstance());
    List<Opening> answers = new ArrayList<>();
    for (OpenRegionResponse.RegionOpeningState state : response.getOpeningStateList()) {
      answers.add(
          switch (state) {
            case OPENED -> Opening.ACCEPTED;
            case ALREADY_OPENED -> Opening.ALREADY_OPEN;
            case FAILED_OPENING -> Opening.FAILED;
          });
    }
    return answers;
  }

  @Override
  public void close(ServerName server, Order order, Optional<Destination> destination)
      throws IOException {
    CloseRegionRequest.Builder request =
        CloseRegionRequest.newBuilder()
            .setRegion(Messages.specifier(order.region()))
            .setServerStartCode(server.startCode())
            .setInitiatingMasterActiveTime(epoch)
            .setCloseProcId(order.number());
    destination.ifPresent(to -> request.setDestinationServer(to.server().message()));
    if (destination.filter(Destination::expects).isPresent()) {
      ExpectedField.write(request);
    }
    calls.call(
        server, SERVICE, "CloseRegion", request.build(), CloseRegionResponse.getDefaultInstance());
  }

  @Override
  public Shape shape(ServerName server, RegionInfo region, boolean middle) throws IOException {
    GetRegionInfoResponse response =
        calls.call(
            server,
            SERVICE,
            "GetRegionInfo",
            GetRegionInfoRequest.newBuilder()
                .setRegion(Messages.specifier(region))
                .setBestSplitRow(middle)
                .build(),
            GetRegionInfoResponse.getDefaultInstance());
    return new Shape(
        response.getSplittable(),
        response.getMergeable(),
        response.hasBestSplitRow()
            ? Optional.of(response.getBestSplitRow().toByteArray())
            : Optional.empty());
  }

  @Override
  public void split(ServerName server, List<SplitOrder> orders) throws IOException {
    ExecuteProceduresRequest.Builder request = ExecuteProceduresRequest.newBuilder();
    orders.forEach(order -> request.addProc(order.message()));
    calls.call(
        server,
        SERVICE,
        "ExecuteProcedures",
        request.build(),
        ExecuteProceduresResponse.getDefaultInstance(),
        SPLIT_TIMEOUT);
  }

  @Override
  public List<RegionInfo> online(ServerName server) throws IOException {
    return calls
        .call(
            server,
            SERVICE,
            "GetOnlineRegion",
            GetOnlineRegionRequest.getDefaultInstance(),
            GetOnlineRegionResponse.getDefaultInstance())
        .getRegionInfoList()
        .stream()
        .map(Messages::regionInfo)
        .toList();
  }

  @Override
  public List<RegionLoad> loads(ServerName server) throws IOException {
    return calls
        .call(
            server,
            SERVICE,
            "GetRegionLoad",
            GetRegionLoadRequest.getDefaultInstance(),
            GetRegionLoadResponse.getDefaultInstance())
        .getRegionLoadsList();
  }

  @Override
  public void flush(ServerName server, RegionInfo region, Optional<byte[]> family)
      throws IOException {
    FlushRegionRequest.Builder request =
        FlushRegionRequest.newBuilder().setRegion(Messages.specifier(region));
    family.map(Messages::wrap).ifPresent(request::setFamily);
    calls.call(
        server, SERVICE, "FlushRegion", request.build(), FlushRegionResponse.getDefaultInstance());
  }

  @Override
  public SnapshotRegionManifest snapshot(
      ServerName server, RegionInfo region, SnapshotDescription snapshot, Duration timeout)
      throws IOException {
    return calls.call(
        server,
        "SnapshotService",
        "SnapshotRegion",
        SnapshotRegionParameter.newBuilder()
            .setRegion(Messages.message(region))
            .setSnapshot(snapshot)
            .build(),
        SnapshotRegionManifest.getDefaultInstance(),
        timeout);
  }

  @Override
  public void warmUp(ServerName from, ServerName to, RegionInfo region, Duration timeout)
      throws IOException {
    Duration half = timeout.dividedBy(2);
    GetStoreFileRequest.Builder ask =
        GetStoreFileRequest.newBuilder().setRegion(Messages.specifier(region));
    HotBlocksField.ask(ask);
    GetStoreFileResponse files =
        calls.call(
            from,
            SERVICE,
            "GetStoreFile",
            ask.build(),
            GetStoreFileResponse.getDefaultInstance(),
            half);
    warmUp(to, region, files, half);
  }

  @Override
  public void expect(ServerName server, RegionInfo region, Duration timeout) throws IOException {
    warmUp(server, region, GetStoreFileResponse.getDefaultInstance(), timeout);
  }

  private void warmUp(
      ServerName server, RegionInfo region, GetStoreFileResponse files, Duration timeout)
      throws IOException {
    WarmupRegionRequest.Builder warmUp =
        WarmupRegionRequest.newBuilder().setRegionInfo(Messages.message(region));
    HotBlocksField.pass(files, warmUp, timeout);
    calls.call(
        server,
        SERVICE,
        "WarmupRegion",
        warmUp.build(),
        WarmupRegionResponse.getDefaultInstance(),
        timeout);
  }

  @Override
  public void compact(ServerName server, RegionInfo region, byte[] family) throws IOException {
    calls.call(
        server,
        SERVICE,
        "CompactRegion",
        CompactRegionRequest.newBuilder()
            .setRegion(Messages.specifier(region))
            .setMajor(true)
            .setFamily(Messages.wrap(family))
            .build(),
        CompactRegionResponse.getDefaultInstance());
  }
}
