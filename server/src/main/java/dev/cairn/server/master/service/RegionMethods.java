package dev.cairn.server.master.service;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.placement.PlacementDecision;
import dev.cairn.server.master.placement.PlacementReason;
import dev.cairn.server.master.placement.PlacementRequest;
import dev.cairn.server.master.table.TableDescriptorChecker;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hadoop.hbase.UnknownRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.AssignRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.AssignRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MajorCompactionTimestampForRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MajorCompactionTimestampRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MajorCompactionTimestampResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MoveRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MoveRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.OfflineRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.OfflineRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.UnassignRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.UnassignRegionResponse;

/** The methods of {@code MasterService} about single regions. */
final class RegionMethods {
  private RegionMethods() {}

  static void register(MethodGroup rpc) {
    rpc.region("MoveRegion", MoveRegionRequest.getDefaultInstance(), r -> r.getRegion())
        .complete(MoveRegionResponse.getDefaultInstance(), RegionMethods::move);
    rpc.region("AssignRegion", AssignRegionRequest.getDefaultInstance(), r -> r.getRegion())
        .complete(AssignRegionResponse.getDefaultInstance(), RegionMethods::assign);
    rpc.region("UnassignRegion", UnassignRegionRequest.getDefaultInstance(), r -> r.getRegion())
        .complete(
            UnassignRegionResponse.getDefaultInstance(),
            (master, r, completion) -> close(master, r.getRegion(), completion));
    rpc.region("OfflineRegion", OfflineRegionRequest.getDefaultInstance(), r -> r.getRegion())
        .complete(
            OfflineRegionResponse.getDefaultInstance(),
            (master, r, completion) -> close(master, r.getRegion(), completion));
    rpc.table(
            "getLastMajorCompactionTimestamp",
            MajorCompactionTimestampRequest.getDefaultInstance(),
            r -> r.getTableName())
        .askLoads(
            (master, r) -> {
              TableName table = TableDescriptorChecker.name(r.getTableName());
              master.tables().require(table);
              // The region that was compacted longest ago decides.
              return compacted(
                  master.assignments().of(table).stream()
                      .flatMapToLong(node -> compacted(master, node))
                      .min());
            });
    rpc.region(
            "getLastMajorCompactionTimestampForRegion",
            MajorCompactionTimestampForRegionRequest.getDefaultInstance(),
            r -> r.getRegion())
        .askLoads(
            (master, r) ->
                compacted(compacted(master, require(master, r.getRegion())).findFirst()));
  }

  /**
   * Moves a region to the server that the request names, or else to another one. Does nothing if it
   * names none and there is no other.
   *
   * @throws DoNotRetryIOException if the region cannot be moved there
   */
  static void move(ActiveMaster master, MoveRegionRequest request, Completion completion)
      throws IOException {
    RegionStateNode node = require(master, request.getRegion());
    PlacementRequest place = master.assignments().request(node, PlacementReason.MOVE);
    PlacementDecision decision =
        master
            .assignments()
            .place(
                request.hasDestServerName()
                    ? place.at(ServerName.of(request.getDestServerName()))
                    : place);
    boolean isPlaced = decision.server().isPresent();
    if (!isPlaced && (request.hasDestServerName() || decision.isRefused())) {
      throw new DoNotRetryIOException(decision.reason());
    }
    if (!node.isWantedOpen()) {
      throw new DoNotRetryIOException(node.region() + " is not to be open");
    }
    if (isPlaced) {
      master.assignments().move(node, decision, completion);
    } else {
      completion.done();
    }
  }

  private static void assign(
      ActiveMaster master, AssignRegionRequest request, Completion completion) throws IOException {
    RegionStateNode node = require(master, request.getRegion());
    if (!node.region().table().isMeta()) {
      master.tables().requireEnabled(node.region().table());
    }
    refuseHeld(node);
    master.assignments().want(node, true, completion);
  }

  private static void close(ActiveMaster master, RegionSpecifier region, Completion completion)
      throws IOException {
    RegionStateNode node = require(master, region);
    refuseMeta(node);
    master.assignments().want(node, false, completion);
  }

  private static MajorCompactionTimestampResponse compacted(OptionalLong timestamp) {
    return MajorCompactionTimestampResponse.newBuilder()
        .setCompactionTimestamp(timestamp.orElse(0))
        .build();
  }

  /** Returns the load of the region that its server reported last. */
  static Stream<RegionLoad> load(ActiveMaster master, RegionStateNode node) {
    return node
        .server()
        .flatMap(server -> master.servers().load(server, node.region().regionName()))
        .stream();
  }

  private static LongStream compacted(ActiveMaster master, RegionStateNode node) {
    return load(master, node).mapToLong(RegionLoad::getLastMajorCompactionTs);
  }

  static void refuseHeld(RegionStateNode node) throws PleaseHoldException {
    if (node.isHeld()) {
      throw new PleaseHoldException(node.region() + " is being split, merged or emptied");
    }
  }

  static void refuseMeta(RegionStateNode node) throws DoNotRetryIOException {
    if (node.region().table().isMeta()) {
      throw new DoNotRetryIOException(
          "hbase:meta is not closed; move it, or stop its server, and it opens at another one");
    }
  }

  /**
   * Returns the region that {@code specifier} names. Accepts the full and the encoded name for
   * either type of specifier, because clients guess which of them a user has typed.
   *
   * @throws UnknownRegionException if there is no such region
   */
  static RegionStateNode require(ActiveMaster master, RegionSpecifier specifier)
      throws IOException {
    return master.assignments().requireNamed(specifier.getValue().toByteArray());
  }

  /** Returns the region with this name or encoded name, if any. */
  static Optional<RegionStateNode> find(ActiveMaster master, byte[] name) {
    return master.assignments().named(name);
  }
}
