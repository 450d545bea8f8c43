package dev.cairn.server.regionserver.membership;

import dev.cairn.server.catalog.ClusterLevel;
import dev.cairn.server.catalog.ClusterLevel.IncompatibleLevelException;
import dev.cairn.server.regionserver.membership.MasterLink.DeclaredDeadException;
import dev.cairn.server.rpc.client.RpcCaller;
import dev.cairn.server.rpc.wire.NamedException;
import dev.cairn.server.rpc.wire.RpcRemoteException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.ClockOutOfSyncException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.MasterNotRunningException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.GetLastFlushedSequenceIdRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.GetLastFlushedSequenceIdResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerReportRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerReportResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStartupRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStartupResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionSpaceUseReportRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionSpaceUseReportResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportProcedureDoneRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportProcedureDoneResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRSFatalErrorRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRSFatalErrorResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Calls {@code RegionServerStatusService} of whichever master is active. Thread-safe. */
public final class RpcMasterLink implements MasterLink {
  private static final String SERVICE = "RegionServerStatusService";
  private static final String DECLARED_DEAD = ".YouAreDeadException";

  /**
   * The time limit for calls whose answer only saves work, and for calls that are soon outdated.
   */
  private static final Duration QUESTION_PATIENCE = Duration.ofSeconds(2);

  private final RpcCaller client;
  private final Supplier<Optional<InetSocketAddress>> activeMaster;
  private final Duration timeout;
  private final ClusterLevel level;

  /**
   * Creates a link.
   *
   * @param activeMaster the address of the active master, if known
   * @param timeout how long one call may take
   * @param level the cluster level of this region server, and the minimum of the master
   */
  public RpcMasterLink(
      RpcCaller client,
      Supplier<Optional<InetSocketAddress>> activeMaster,
      Duration timeout,
      ClusterLevel level) {
    this.client = client;
    this.activeMaster = activeMaster;
    this.timeout = timeout;
    this.level = level;
  }

  @Override
  public void startup(RegionServerStartupRequest request) throws IOException {
    try {
      RegionServerStartupResponse answer =
          call(
              "RegionServerStartup",
              level.addTo(request),
              RegionServerStartupResponse.getDefaultInstance());
      level.check("this region server", "the master", ClusterLevel.of(answer));
    } catch (IOException e) {
      throw refusal(e);
    }
  }

  /** Returns the message of the master's exception, without its class and stack trace. */
  private static String sentence(String message, String className) {
    String text =
        message.startsWith(className + ": ") ? message.substring(className.length() + 2) : message;
    return text.lines().findFirst().orElse(text);
  }

  @Override
  public void report(RegionServerReportRequest request) throws IOException {
    try {
      call(
          "RegionServerReport",
          request,
          RegionServerReportResponse.getDefaultInstance(),
          request.hasLoad() ? timeout : questionPatience());
    } catch (IOException e) {
      throw refusal(e);
    }
  }

  /** Returns an exception of a separate class if the master refuses the server for good. */
  private static IOException refusal(IOException failure) {
    String name =
        failure instanceof RpcRemoteException remote
            ? remote.className()
            : failure.getClass().getName();
    if (name.endsWith(DECLARED_DEAD)) {
      return new DeclaredDeadException(sentence(failure.getMessage(), name));
    }
    if (name.equals(NamedException.DECOMMISSIONED_HOST)) {
      return new RejectedHostException(sentence(failure.getMessage(), name));
    }
    if (failure instanceof RpcRemoteException
        && name.equals(IncompatibleLevelException.class.getName())) {
      return new IncompatibleLevelException(sentence(failure.getMessage(), name));
    }
    return name.equals(ClockOutOfSyncException.class.getName())
        ? new ClockOutOfSyncException(sentence(failure.getMessage(), name))
        : failure;
  }

  @Override
  public void transition(ReportRegionStateTransitionRequest request) throws IOException {
    ReportRegionStateTransitionResponse response =
        call(
            "ReportRegionStateTransition",
            request,
            ReportRegionStateTransitionResponse.getDefaultInstance());
    if (response.hasErrorMessage()) {
      throw new DoNotRetryIOException(
          "The master refused a region's transition: " + response.getErrorMessage());
    }
  }

  @Override
  public void procedureDone(ReportProcedureDoneRequest request) throws IOException {
    call("ReportProcedureDone", request, ReportProcedureDoneResponse.getDefaultInstance());
  }

  @Override
  public GetLastFlushedSequenceIdResponse flushed(String region) throws IOException {
    return call(
        "GetLastFlushedSequenceId",
        GetLastFlushedSequenceIdRequest.newBuilder()
            .setRegionName(ByteString.copyFromUtf8(region))
            .build(),
        GetLastFlushedSequenceIdResponse.getDefaultInstance(),
        questionPatience());
  }

  private Duration questionPatience() {
    return timeout.compareTo(QUESTION_PATIENCE) < 0 ? timeout : QUESTION_PATIENCE;
  }

  @Override
  public void spaceUse(RegionSpaceUseReportRequest request) throws IOException {
    call("ReportRegionSpaceUse", request, RegionSpaceUseReportResponse.getDefaultInstance());
  }

  @Override
  public void fatal(ReportRSFatalErrorRequest request) throws IOException {
    call("ReportRSFatalError", request, ReportRSFatalErrorResponse.getDefaultInstance());
  }

  private <R extends Message> R call(String method, Message request, R prototype)
      throws IOException {
    return call(method, request, prototype, timeout);
  }

  private <R extends Message> R call(String method, Message request, R prototype, Duration patience)
      throws IOException {
    InetSocketAddress master =
        activeMaster
            .get()
            .orElseThrow(() -> new MasterNotRunningException("No master is active now"));
    return client.call(master, SERVICE, method, request, prototype, patience);
  }
}
