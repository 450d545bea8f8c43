package dev.cairn.server.master.normalizer;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.ddl.ShapeRequests;
import dev.cairn.server.master.ddl.ShapeRequests.Requester;
import dev.cairn.server.master.hook.MasterHooks;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MergeTableRegionsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MergeTableRegionsResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SplitTableRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SplitTableRegionResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Submits splits and merges for the normalizer, with the hooks that HBase calls around the requests
 * of clients. Owned by the loop.
 */
public final class HookedShapes {
  private static final Logger LOG = LoggerFactory.getLogger(HookedShapes.class);
  private static final Requester SELF = new Requester("hbase", Optional.empty());
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final MasterLoop loop;
  private final ShapeRequests shapes;
  private final MasterHooks hooks;

  /** Creates it. */
  public HookedShapes(MasterLoop loop, ShapeRequests shapes, MasterHooks hooks) {
    this.loop = loop;
    this.shapes = shapes;
    this.hooks = hooks;
  }

  /** Submits a procedure. Called by the loop's owner. */
  @FunctionalInterface
  private interface Submission {
    void submit(CompletableFuture<Long> future) throws IOException;
  }

  /** Builds a response with the id of a procedure. */
  @FunctionalInterface
  private interface Response<R> {
    R of(long id);
  }

  /** Submits a split in the middle, as {@link ShapeRequests#split} does. */
  void split(RegionInfo region, CompletableFuture<Long> future) {
    submit(
        "SplitRegion",
        SplitTableRegionRequest.newBuilder().setRegionInfo(Messages.message(region)).build(),
        accepted -> shapes.split(region, Optional.empty(), SELF, accepted),
        id -> SplitTableRegionResponse.newBuilder().setProcId(id).build(),
        future);
  }

  /** Submits a merge of neighbours, as {@link ShapeRequests#merge} does. */
  void merge(List<RegionInfo> regions, CompletableFuture<Long> future) {
    submit(
        "MergeTableRegions",
        MergeTableRegionsRequest.newBuilder()
            .addAllRegion(regions.stream().map(Messages::specifier).toList())
            .build(),
        accepted -> shapes.merge(regions, false, SELF, accepted),
        id -> MergeTableRegionsResponse.newBuilder().setProcId(id).build(),
        future);
  }

  private <Q extends Message, R extends Message> void submit(
      String method,
      Q request,
      Submission submission,
      Response<R> response,
      CompletableFuture<Long> future) {
    if (!hooks.concerns(method)) {
      begin(submission, future);
      return;
    }
    CompletableFuture<Long> accepted = new CompletableFuture<>();
    loop.perform(
        Lane.HOOKS,
        () ->
            hooks.<Q, R>around(
                method,
                request,
                same -> {
                  long id =
                      loop.<Long>request(
                          asked -> {
                            accepted.whenComplete(
                                (one, refusal) -> {
                                  if (refusal == null) {
                                    asked.complete(one);
                                  } else {
                                    asked.completeExceptionally(refusal);
                                  }
                                });
                            begin(submission, accepted);
                          },
                          PATIENCE);
                  return response.of(id);
                }),
        done -> accepted.thenAccept(future::complete),
        cause -> {
          if (accepted.isDone() && !accepted.isCompletedExceptionally()) {
            LOG.warn("A coprocessor fails after {}, which goes on: {}", method, cause.toString());
            future.complete(accepted.join());
          } else {
            future.completeExceptionally(cause);
          }
        });
  }

  private static void begin(Submission submission, CompletableFuture<Long> future) {
    try {
      submission.submit(future);
    } catch (IOException e) {
      future.completeExceptionally(e);
    }
  }
}
