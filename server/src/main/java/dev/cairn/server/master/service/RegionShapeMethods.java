package dev.cairn.server.master.service;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.ddl.MergeRegionsProcedure;
import dev.cairn.server.master.ddl.OpenRegions;
import dev.cairn.server.master.ddl.SplitRegionProcedure;
import dev.cairn.server.master.ddl.TruncateRegionProcedure;
import dev.cairn.server.master.loop.MasterLoop.Lane;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureRecord.Nonce;
import dev.cairn.server.master.remote.RegionServerCalls;
import dev.cairn.server.rpc.RpcCall;
import dev.cairn.server.rpc.RpcService;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.exceptions.MergeRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MergeTableRegionsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MergeTableRegionsResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SplitTableRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SplitTableRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.TruncateRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.TruncateRegionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The methods of {@code MasterService} that split, merge and empty regions. What a region's server
 * has to say is asked before a procedure is submitted, which may not wait for it.
 */
final class RegionShapeMethods {
  private static final Logger LOG = LoggerFactory.getLogger(RegionShapeMethods.class);

  private RegionShapeMethods() {}

  static void register(RpcService.Builder service, MasterGate gate) {
    service
        .on(
            "SplitRegion",
            SplitTableRegionRequest.getDefaultInstance(),
            (call, request) ->
                SplitTableRegionResponse.newBuilder().setProcId(split(gate, call, request)).build())
        .on(
            "MergeTableRegions",
            MergeTableRegionsRequest.getDefaultInstance(),
            (call, request) ->
                MergeTableRegionsResponse.newBuilder()
                    .setProcId(merge(gate, call, request))
                    .build())
        .on(
            "TruncateRegion",
            TruncateRegionRequest.getDefaultInstance(),
            (call, request) -> {
              RegionInfo region = Messages.regionInfo(request.getRegionInfo());
              long id =
                  gate.submit(
                      call,
                      request.getNonceGroup(),
                      request.getNonce(),
                      master ->
                          new TruncateRegionProcedure(master.environment(), call.user(), region));
              return TruncateRegionResponse.newBuilder().setProcId(id).build();
            });
  }

  private static long split(MasterGate gate, RpcCall call, SplitTableRegionRequest request)
      throws IOException {
    RegionInfo named = Messages.regionInfo(request.getRegionInfo());
    return gate.<Long>request(
        call,
        (master, future) -> {
          RegionInfo region = OpenRegions.require(master.environment(), named, "split");
          SplitRegionProcedure.checkAllowed(master.environment(), region);
          ServerName server = serverOf(master, region);
          boolean choose = request.getSplitRow().isEmpty();
          ask(
              master,
              () -> master.environment().calls().shape(server, region, choose),
              future,
              shape -> {
                if (!shape.splittable()) {
                  throw new DoNotRetryIOException(
                      region.regionNameAsString()
                          + " NOT splittable: it still has references to the files of regions that"
                          + " it was made of; compact it first");
                }
                byte[] row =
                    choose
                        ? shape
                            .middle()
                            .orElseThrow(
                                () ->
                                    new DoNotRetryIOException(
                                        "Region not splittable because bestSplitPoint = null, maybe"
                                            + " table is too small for auto split. For force split,"
                                            + " try specifying split row"))
                        : restricted(master, region, request.getSplitRow().toByteArray());
                submit(
                    master,
                    call,
                    new SplitRegionProcedure(master.environment(), call.user(), region, row),
                    Nonce.of(request.getNonceGroup(), request.getNonce()),
                    future);
              });
        });
  }

  private static long merge(MasterGate gate, RpcCall call, MergeTableRegionsRequest request)
      throws IOException {
    return gate.<Long>request(
        call,
        (master, future) -> {
          if (request.getRegionCount() < 2) {
            throw new MergeRegionException(
                "It takes two regions to merge, not " + request.getRegionCount());
          }
          List<RegionInfo> regions = new ArrayList<>();
          List<ServerName> servers = new ArrayList<>();
          for (RegionSpecifier specifier : request.getRegionList()) {
            RegionInfo region = RegionMethods.require(master, specifier).region();
            OpenRegions.require(master.environment(), region, "merge");
            regions.add(region);
            servers.add(serverOf(master, region));
          }
          ask(
              master,
              () -> checkWhole(master.environment().calls(), servers, regions),
              future,
              ignored ->
                  submit(
                      master,
                      call,
                      new MergeRegionsProcedure(master.environment(), call.user(), regions),
                      Nonce.of(request.getNonceGroup(), request.getNonce()),
                      future));
        });
  }

  private static Optional<Void> checkWhole(
      RegionServerCalls calls, List<ServerName> servers, List<RegionInfo> regions)
      throws IOException {
    for (int i = 0; i < regions.size(); i++) {
      if (!calls.shape(servers.get(i), regions.get(i), false).mergeable()) {
        throw new MergeRegionException(
            regions.get(i).regionNameAsString()
                + " NOT mergeable: it still has references to the files of regions that it was made"
                + " of; compact it first");
      }
    }
    return Optional.empty();
  }

  /** Asks something of the loop; it may wait. */
  @FunctionalInterface
  private interface Question<T> {
    T ask() throws IOException;
  }

  /** Takes an answer. */
  @FunctionalInterface
  private interface Next<T> {
    void go(T answer) throws IOException;
  }

  private static <T> void ask(
      ActiveMaster master, Question<T> question, CompletableFuture<Long> future, Next<T> next) {
    master
        .environment()
        .loop()
        .perform(
            Lane.WORK,
            question::ask,
            answer -> {
              try {
                next.go(answer);
              } catch (IOException e) {
                future.completeExceptionally(e);
              }
            },
            future::completeExceptionally);
  }

  private static void submit(
      ActiveMaster master,
      RpcCall call,
      Procedure procedure,
      Optional<Nonce> nonce,
      CompletableFuture<Long> future) {
    master.procedures().submit(procedure, call.user(), nonce, future);
  }

  /** Returns the row before which the table lets a region be split in place of {@code row}. */
  private static byte[] restricted(ActiveMaster master, RegionInfo region, byte[] row)
      throws IOException {
    TableSchema schema = master.tables().require(region.table()).schema();
    byte[] allowed = master.environment().schemas().splits().restriction(schema).apply(row);
    if (!Arrays.equals(allowed, row)) {
      LOG.info(
          "The split restriction of table {} does not allow {}; {} is split at {}",
          schema.name(),
          Bytes.toStringBinary(row),
          region,
          Bytes.toStringBinary(allowed));
    }
    return allowed;
  }

  private static ServerName serverOf(ActiveMaster master, RegionInfo region) {
    return master
        .assignments()
        .find(region.encodedName())
        .flatMap(node -> node.server())
        .orElseThrow();
  }
}
