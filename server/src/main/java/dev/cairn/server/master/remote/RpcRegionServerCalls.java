package dev.cairn.server.master.remote;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CloseRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CloseRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CompactRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CompactRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.FlushRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.FlushRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetRegionInfoRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetRegionInfoResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetRegionLoadRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetRegionLoadResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.OpenRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.OpenRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;

/** Calls {@code AdminService} of region servers. */
public final class RpcRegionServerCalls implements RegionServerCalls {
  private static final String SERVICE = "AdminService";

  private final ServerCalls calls;

  /** Creates it on top of {@code calls}. */
  public RpcRegionServerCalls(ServerCalls calls) {
    this.calls = calls;
  }

  @Override
  public List<Opening> open(ServerName server, List<RegionInfo> regions) throws IOException {
    OpenRegionRequest.Builder request =
        OpenRegionRequest.newBuilder().setServerStartCode(server.startCode());
    for (RegionInfo region : regions) {
      request.addOpenInfo(
          OpenRegionRequest.RegionOpenInfo.newBuilder().setRegion(Messages.message(region)));
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
  public void close(ServerName server, RegionInfo region) throws IOException {
    calls.call(
        server,
        SERVICE,
        "CloseRegion",
        CloseRegionRequest.newBuilder()
            .setRegion(Messages.specifier(region))
            .setServerStartCode(server.startCode())
            .build(),
        CloseRegionResponse.getDefaultInstance());
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
