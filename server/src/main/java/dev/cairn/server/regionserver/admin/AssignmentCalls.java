package dev.cairn.server.regionserver.admin;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.ExpectedField;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.assignment.RegionCloser;
import dev.cairn.server.regionserver.assignment.RegionOpener;
import dev.cairn.server.regionserver.assignment.RegionOrders;
import dev.cairn.server.regionserver.assignment.TransitionReporter;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.logs.WalSplits;
import dev.cairn.server.regionserver.membership.MasterEpochs;
import dev.cairn.server.regionserver.membership.ServerState;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.CallSubject.RegionPart;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.walsplit.SplitOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CloseRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CloseRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ExecuteProceduresRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ExecuteProceduresResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.OpenRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.OpenRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.OpenRegionResponse.RegionOpeningState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.RemoteProcedureRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the master's orders to open and close regions, and to split logs. Begins each order and
 * answers at once; a later report tells the master the outcome. Refuses the orders of a master that
 * has been replaced. Thread-safe.
 */
public final class AssignmentCalls {
  private static final Logger LOG = LoggerFactory.getLogger(AssignmentCalls.class);

  private final ServerState state;
  private final MasterEpochs epochs;
  private final OnlineRegions regions;
  private final RegionOpener opener;
  private final RegionCloser closer;
  private final WalSplits splits;
  private final RegionOrders orders = new RegionOrders();

  public AssignmentCalls(
      ServerState state,
      MasterEpochs epochs,
      OnlineRegions regions,
      RegionOpener opener,
      RegionCloser closer,
      WalSplits splits) {
    this.state = state;
    this.epochs = epochs;
    this.regions = regions;
    this.opener = opener;
    this.closer = closer;
    this.splits = splits;
  }

  public OpenRegionResponse open(RpcCall call, OpenRegionRequest request) throws IOException {
    check(request);
    epochs.obey(epoch(request));
    return begin(request);
  }

  private OpenRegionResponse begin(OpenRegionRequest request) {
    OpenRegionResponse.Builder response = OpenRegionResponse.newBuilder();
    for (OpenRegionRequest.RegionOpenInfo info : request.getOpenInfoList()) {
      RegionInfo region = Messages.regionInfo(info.getRegion());
      TransitionReporter.Cause cause =
          new TransitionReporter.Cause(info.getOpenProcId(), epoch(request));
      if (!orders.accept(region.encodedName(), cause)) {
        LOG.info("A late order to open {} is ignored", region);
        response.addOpeningState(RegionOpeningState.FAILED_OPENING); // Its sender does not look.
        continue;
      }
      boolean isOpen = regions.get(region.encodedName()).isPresent();
      opener.open(region, cause);
      response.addOpeningState(
          isOpen ? RegionOpeningState.ALREADY_OPENED : RegionOpeningState.OPENED);
    }
    return response.build();
  }

  public CloseRegionResponse close(RpcCall call, CloseRegionRequest request) throws IOException {
    checkLife(request.hasServerStartCode(), request.getServerStartCode());
    epochs.obey(epoch(request));
    if (!isLatest(request)) {
      throw new DoNotRetryIOException(
          "A later order about the region " + encodedName(request.getRegion()) + " is known");
    }
    if (!beginClosing(request)) {
      throw new NotServingRegionException(
          "Region " + encodedName(request.getRegion()) + " is not open on " + state.serverName());
    }
    return CloseRegionResponse.newBuilder().setClosed(true).build();
  }

  /** Returns the regions that orders open and close. */
  static CallSubject subject(RpcCall call, ExecuteProceduresRequest request) {
    List<RegionPart> regions = new ArrayList<>();
    for (OpenRegionRequest order : request.getOpenRegionList()) {
      for (OpenRegionRequest.RegionOpenInfo open : order.getOpenInfoList()) {
        byte[] name = Messages.regionInfo(open.getRegion()).regionName();
        regions.add(new RegionPart(Messages.wrap(name), false, List.of()));
      }
    }
    for (CloseRegionRequest close : request.getCloseRegionList()) {
      regions.addAll(CallSubject.region(close.getRegion()).regions());
    }
    return new CallSubject.Regions(regions);
  }

  /**
   * Takes several orders at once. Those of other kinds, and malformed ones, are refused before any
   * is begun.
   */
  public ExecuteProceduresResponse execute(RpcCall call, ExecuteProceduresRequest request)
      throws IOException {
    List<SplitOrder> logs = new ArrayList<>();
    for (RemoteProcedureRequest procedure : request.getProcList()) {
      SplitOrder order = SplitOrder.of(procedure);
      splits.check(order);
      logs.add(order);
    }
    for (OpenRegionRequest open : request.getOpenRegionList()) {
      check(open);
    }
    for (CloseRegionRequest close : request.getCloseRegionList()) {
      checkLife(close.hasServerStartCode(), close.getServerStartCode());
      if (isGone(close.getRegion())) {
        named(close.getRegion());
      }
    }
    for (OpenRegionRequest open : request.getOpenRegionList()) {
      epochs.obey(epoch(open));
    }
    for (CloseRegionRequest close : request.getCloseRegionList()) {
      epochs.obey(epoch(close));
    }
    for (SplitOrder order : logs) {
      epochs.obey(order.token().epoch());
    }
    splits.begin(logs);
    request.getOpenRegionList().forEach(this::begin);
    for (CloseRegionRequest close : request.getCloseRegionList()) {
      if (isLatest(close) && !beginClosing(close) && isGone(close.getRegion())) {
        // It was closed before, perhaps by order of a former master; this request waits for that.
        closer.reportClosed(named(close.getRegion()), cause(close));
      }
    }
    return ExecuteProceduresResponse.getDefaultInstance();
  }

  private void check(OpenRegionRequest request) throws IOException {
    checkLife(request.hasServerStartCode(), request.getServerStartCode());
    for (OpenRegionRequest.RegionOpenInfo info : request.getOpenInfoList()) {
      Messages.regionInfo(info.getRegion());
    }
  }

  private boolean isLatest(CloseRegionRequest request) {
    return orders.accept(encodedName(request.getRegion()), cause(request));
  }

  private boolean beginClosing(CloseRegionRequest request) throws IOException {
    String region = encodedName(request.getRegion());
    Optional<ServerName> destination =
        request.hasDestinationServer()
            ? Optional.of(ServerName.of(request.getDestinationServer()))
            : Optional.empty();
    if (ExpectedField.isIn(request)) {
      destination.ifPresent(to -> regions.redirectEarly(region, to));
    }
    return closer.close(region, destination, cause(request));
  }

  private static TransitionReporter.Cause cause(CloseRegionRequest request) {
    return new TransitionReporter.Cause(request.getCloseProcId(), epoch(request));
  }

  private static long epoch(OpenRegionRequest request) {
    return request.hasInitiatingMasterActiveTime()
        ? request.getInitiatingMasterActiveTime()
        : MasterEpochs.NONE;
  }

  private static long epoch(CloseRegionRequest request) {
    return request.hasInitiatingMasterActiveTime()
        ? request.getInitiatingMasterActiveTime()
        : MasterEpochs.NONE;
  }

  private boolean isGone(RegionSpecifier specifier) {
    return specifier.getType() == RegionSpecifierType.REGION_NAME
        && !regions.knows(encodedName(specifier));
  }

  /** Returns as much of a region as its name tells: all but its end. */
  private static RegionInfo named(RegionSpecifier specifier) throws IOException {
    byte[] name = specifier.getValue().toByteArray();
    try {
      byte[][] parts = org.apache.hadoop.hbase.client.RegionInfo.parseRegionName(name);
      return new RegionInfo(
              TableName.parse(Bytes.utf8(parts[0])),
              parts[1],
              Bytes.EMPTY,
              Long.parseLong(Bytes.utf8(parts[2])))
          .replica(parts.length > 3 ? Integer.parseInt(Bytes.utf8(parts[3]), 16) : 0);
    } catch (IOException | RuntimeException e) { // the parser runs off the end of some names
      throw new DoNotRetryIOException(
          Bytes.toStringBinary(name)
              + " is not the name of a region: a table, a start key and a number, with commas"
              + " between them");
    }
  }

  private static String encodedName(RegionSpecifier specifier) {
    return specifier.getType() == RegionSpecifierType.ENCODED_REGION_NAME
        ? specifier.getValue().toStringUtf8()
        : OnlineRegions.encodedName(specifier.getValue().toByteArray());
  }

  private void checkLife(boolean given, long startCode) throws IOException {
    if (given && startCode != state.serverName().startCode()) {
      throw new DoNotRetryIOException(
          "This order is for the server that was started at "
              + startCode
              + "; this is "
              + state.serverName());
    }
  }
}
