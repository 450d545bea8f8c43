package dev.cairn.server.regionserver.admin;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.regionserver.RegionServerContext;
import dev.cairn.server.regionserver.hosted.SpaceLimits;
import dev.cairn.server.regionserver.logs.WalMaintenance;
import dev.cairn.server.regionserver.membership.ServerState;
import dev.cairn.server.regionserver.membership.ServingLease;
import dev.cairn.server.regionserver.report.LoadReports;
import dev.cairn.server.rpc.service.RpcCall;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.regionserver.LeaseException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetServerInfoRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetServerInfoResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.RollWALWriterRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.RollWALWriterResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ServerInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.StopServerRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.StopServerResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.GetSpaceQuotaSnapshotsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.GetSpaceQuotaSnapshotsResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.GetSpaceQuotaSnapshotsResponse.TableQuotaSnapshot;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers what {@code AdminService} asks about the server as a whole. Any number of threads. */
public final class AdminServerCalls {
  private static final Logger LOG = LoggerFactory.getLogger(AdminServerCalls.class);

  private final ServerState state;
  private final WalMaintenance log;
  private final LoadReports loads;
  private final SpaceLimits space;
  private final BooleanSupplier leaseEnds;
  private final Stop stop;

  /** Begins to stop a server. */
  @FunctionalInterface
  public interface Stop {
    /**
     * Begins to stop the server, and returns.
     *
     * @throws IOException if the server does not stop
     */
    void begin(String reason) throws IOException;
  }

  /**
   * Creates the answers.
   *
   * @param leaseEnds tells whether the server's lease is over: {@link
   *     RegionServerContext.Lease#endsIfOver}
   * @param stop begins to stop the server
   */
  public AdminServerCalls(
      ServerState state,
      BooleanSupplier leaseEnds,
      WalMaintenance log,
      LoadReports loads,
      SpaceLimits space,
      Stop stop) {
    this.state = state;
    this.leaseEnds = leaseEnds;
    this.log = log;
    this.loads = loads;
    this.space = space;
    this.stop = stop;
  }

  /**
   * Describes the server.
   *
   * @throws LeaseException if the server answers no clients, because its session with ZooKeeper may
   *     be over; a master then opens its regions elsewhere if the registration is gone
   */
  GetServerInfoResponse info(RpcCall call, GetServerInfoRequest request) throws LeaseException {
    if (leaseEnds.getAsBoolean()) {
      throw new LeaseException(ServingLease.over(state.serverName()));
    }
    return GetServerInfoResponse.newBuilder()
        .setServerInfo(
            ServerInfo.newBuilder()
                .setServerName(state.serverName().message())
                .setWebuiPort(loads.infoPort()))
        .build();
  }

  RollWALWriterResponse roll(RpcCall call, RollWALWriterRequest request) throws IOException {
    RollWALWriterResponse.Builder response = RollWALWriterResponse.newBuilder();
    for (String region : log.roll()) {
      response.addRegionToFlush(UnsafeByteOperations.unsafeWrap(Bytes.utf8(region)));
    }
    return response.build();
  }

  StopServerResponse stop(RpcCall call, StopServerRequest request) throws IOException {
    LOG.info("{} asks to stop: {}", call.remoteAddress(), request.getReason());
    stop.begin(request.getReason());
    return StopServerResponse.getDefaultInstance();
  }

  /** Lists the limits on space that this server enforces. */
  GetSpaceQuotaSnapshotsResponse quotas(RpcCall call, GetSpaceQuotaSnapshotsRequest request) {
    GetSpaceQuotaSnapshotsResponse.Builder response = GetSpaceQuotaSnapshotsResponse.newBuilder();
    space
        .inForce()
        .forEach(
            (table, state) ->
                response.addSnapshots(
                    TableQuotaSnapshot.newBuilder()
                        .setTableName(Messages.message(table))
                        .setSnapshot(state)));
    return response.build();
  }
}
