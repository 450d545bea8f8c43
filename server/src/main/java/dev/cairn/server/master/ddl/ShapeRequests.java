package dev.cairn.server.master.ddl;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureExecutor;
import dev.cairn.server.master.procedure.ProcedureRecord.Nonce;
import dev.cairn.server.master.remote.RegionServerCalls;
import dev.cairn.server.split.SplitPolicies;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.exceptions.MergeRegionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Submits splits and merges. Asks the region's server first, because a procedure must not block on
 * it. Owned by the loop.
 */
public final class ShapeRequests {
  private static final Logger LOG = LoggerFactory.getLogger(ShapeRequests.class);

  private static final String SYSTEM_USER = "cairn";

  private final ProcedureContext context;
  private final ProcedureExecutor procedures;

  /**
   * The origin of a request.
   *
   * @param user the procedure's owner
   * @param nonce maps a repeated request to the same procedure
   */
  public record Requester(String user, Optional<Nonce> nonce) {}

  /** Creates it. */
  public ShapeRequests(ProcedureContext context, ProcedureExecutor procedures) {
    this.context = context;
    this.procedures = procedures;
  }

  /**
   * Submits the split of an open region.
   *
   * @param row where to split; if empty, its server chooses the middle
   * @param future completed with the procedure's id, or with the reason for the refusal
   * @throws IOException if it is refused at once
   */
  public void split(
      RegionInfo named, Optional<byte[]> row, Requester requester, CompletableFuture<Long> future)
      throws IOException {
    RegionInfo region = OpenRegions.require(context, named, "split");
    SplitRegionProcedure.checkAllowed(context, region);
    ServerName server = serverOf(region);
    ask(
        Lane.requests(server),
        () -> context.calls().shape(server, region, row.isEmpty()),
        future,
        shape -> {
          if (!shape.splittable()) {
            throw new DoNotRetryIOException(
                region.regionNameAsString()
                    + " NOT splittable: it still has references to the files of regions that"
                    + " it was made of; compact it first"
                    + policyOfUser(region));
          }
          byte[] border = row.isPresent() ? restricted(region, row.get()) : middle(shape);
          submit(
              new SplitRegionProcedure(context, requester.user(), region, border),
              requester,
              future);
        });
  }

  /**
   * Submits a merge of open regions.
   *
   * @param forced whether the regions need not be adjacent; the regions between them are then
   *     merged, too
   * @param future completed with the procedure's id, or with the reason for the refusal
   * @throws IOException if it is refused at once
   */
  public void merge(
      List<RegionInfo> named, boolean forced, Requester requester, CompletableFuture<Long> future)
      throws IOException {
    if (named.size() < 2) {
      throw new MergeRegionException("It takes two regions to merge, not " + named.size());
    }
    if (named.stream().distinct().count() < named.size()) {
      throw new MergeRegionException("Cannot merge a region with itself: " + named);
    }
    List<RegionInfo> wanted = forced ? MergeRegionsProcedure.covered(context, named) : named;
    for (RegionInfo region : wanted) {
      OpenRegions.require(context, region, "merge");
    }
    List<ServerName> servers = wanted.stream().map(this::serverOf).toList();
    ask(
        Lane.REQUESTS,
        () -> checkWhole(context.calls(), servers, wanted),
        future,
        ignored ->
            submit(
                new MergeRegionsProcedure(
                    context,
                    requester.user(),
                    wanted,
                    forced
                        ? MergeRegionsProcedure.Kind.FORCED
                        : MergeRegionsProcedure.Kind.ADJACENT),
                requester,
                future));
  }

  /**
   * Submits the merge of open regions that overlap, even if administrators forbid merges.
   *
   * @param future completed with the procedure's id, or with the reason for the refusal
   * @throws IOException if it is refused at once
   */
  public void mergeOverlapping(List<RegionInfo> regions, CompletableFuture<Long> future)
      throws IOException {
    for (RegionInfo region : regions) {
      OpenRegions.require(context, region, "merge");
    }
    List<ServerName> servers = regions.stream().map(this::serverOf).toList();
    Requester self = new Requester(SYSTEM_USER, Optional.empty());
    ask(
        Lane.REQUESTS,
        () -> checkWhole(context.calls(), servers, regions),
        future,
        ignored ->
            submit(
                new MergeRegionsProcedure(
                    context, self.user(), regions, MergeRegionsProcedure.Kind.OVERLAPPING),
                self,
                future));
  }

  /** Returns the part of a message on a table's own policy. */
  private String policyOfUser(RegionInfo region) throws IOException {
    return SplitPolicies.classOfUser(context.tables().require(region.table()).schema())
        .map(name -> ". Or its table's split policy " + name + " does not allow it")
        .orElse("");
  }

  private static byte[] middle(RegionServerCalls.Shape shape) throws DoNotRetryIOException {
    return shape
        .middle()
        .orElseThrow(
            () ->
                new DoNotRetryIOException(
                    "Region not splittable because bestSplitPoint = null, maybe table is too small"
                        + " for auto split. For force split, try specifying split row"));
  }

  /** Returns the row before which the table allows a split instead of {@code row}. */
  private byte[] restricted(RegionInfo region, byte[] row) throws IOException {
    TableSchema schema = context.tables().require(region.table()).schema();
    byte[] allowed = context.schemas().splits().restriction(schema).apply(row);
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

  /** Sends a question to a region server; may block. */
  @FunctionalInterface
  private interface Question<T> {
    T ask() throws IOException;
  }

  /** Takes an answer. */
  @FunctionalInterface
  private interface Next<T> {
    void go(T answer) throws IOException;
  }

  private <T> void ask(
      Lane lane, Question<T> question, CompletableFuture<Long> future, Next<T> next) {
    context
        .loop()
        .perform(
            lane,
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

  private void submit(Procedure procedure, Requester requester, CompletableFuture<Long> future) {
    procedures.submit(procedure, requester.user(), requester.nonce(), future);
  }

  private ServerName serverOf(RegionInfo region) {
    return context
        .assignments()
        .find(region.encodedName())
        .flatMap(RegionStateNode::server)
        .orElseThrow();
  }
}
