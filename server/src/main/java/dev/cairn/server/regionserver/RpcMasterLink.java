package dev.cairn.server.regionserver;

import dev.cairn.server.rpc.RpcClient;
import dev.cairn.server.rpc.RpcRemoteException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.MasterNotRunningException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerReportRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerReportResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStartupRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStartupResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRSFatalErrorRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRSFatalErrorResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Calls {@code RegionServerStatusService} of whichever master is active. Thread-safe. */
public final class RpcMasterLink implements MasterLink {
  private static final String SERVICE = "RegionServerStatusService";
  private static final String DECLARED_DEAD = ".YouAreDeadException";

  private final RpcClient client;
  private final Supplier<Optional<InetSocketAddress>> activeMaster;
  private final Duration timeout;

  /**
   * Creates a link.
   *
   * @param activeMaster the address of the active master, as far as it is known
   * @param timeout how long one call may take
   */
  public RpcMasterLink(
      RpcClient client, Supplier<Optional<InetSocketAddress>> activeMaster, Duration timeout) {
    this.client = client;
    this.activeMaster = activeMaster;
    this.timeout = timeout;
  }

  @Override
  public void startup(RegionServerStartupRequest request) throws IOException {
    call("RegionServerStartup", request, RegionServerStartupResponse.getDefaultInstance());
  }

  @Override
  public void report(RegionServerReportRequest request) throws IOException {
    try {
      call("RegionServerReport", request, RegionServerReportResponse.getDefaultInstance());
    } catch (IOException e) {
      String name =
          e instanceof RpcRemoteException remote ? remote.className() : e.getClass().getName();
      throw name.endsWith(DECLARED_DEAD) ? new DeclaredDeadException(e.getMessage()) : e;
    }
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
  public void fatal(ReportRSFatalErrorRequest request) throws IOException {
    call("ReportRSFatalError", request, ReportRSFatalErrorResponse.getDefaultInstance());
  }

  private <R extends Message> R call(String method, Message request, R prototype)
      throws IOException {
    InetSocketAddress master =
        activeMaster
            .get()
            .orElseThrow(() -> new MasterNotRunningException("No master is active now"));
    return client.call(master, SERVICE, method, request, prototype, timeout);
  }
}
