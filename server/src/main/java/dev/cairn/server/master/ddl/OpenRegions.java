package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.UnknownRegionException;
import org.apache.hadoop.hbase.client.DoNotRetryRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;

/** The steps that are common to procedures about single regions. Called by the loop's owner. */
public final class OpenRegions {
  private OpenRegions() {}

  /** A change of the directories of closed regions; may wait. */
  @FunctionalInterface
  interface Work {
    /** Makes the change; {@code schema} is the table's descriptor. */
    void run(TableSchema schema) throws IOException;
  }

  /**
   * Returns the master's description of a region; fails if the region is not open or its table is
   * not enabled. A client's description may be wrong except for the name, which does not contain
   * the region's end.
   *
   * @param what the operation, for the error
   */
  public static RegionInfo require(ProcedureContext context, RegionInfo region, String what)
      throws IOException {
    if (region.table().isMeta()) {
      throw new DoNotRetryIOException("Can't " + what + " region in catalog tables");
    }
    if (region.replicaId() != 0) {
      throw new DoNotRetryIOException(
          "Can't " + what + " replicas directly. They go with their primary: " + region);
    }
    context.tables().requireEnabled(region.table());
    Optional<RegionStateNode> node = context.assignments().find(region.encodedName());
    if (node.isEmpty()) {
      throw new UnknownRegionException(region.regionNameAsString());
    }
    if (node.get().state() != State.OPEN) {
      throw new DoNotRetryRegionException(
          region.regionNameAsString() + " is not OPEN but " + node.get().state());
    }
    return node.get().region();
  }

  /** Wants regions open or closed; completes once all are. A region that is gone is passed over. */
  static void want(
      ProcedureContext context, List<RegionInfo> regions, boolean open, Completion completion) {
    List<RegionStateNode> nodes =
        regions.stream()
            .flatMap(region -> context.assignments().find(region.encodedName()).stream())
            .toList();
    context.assignments().wantExclusively(nodes, open, completion);
  }

  /**
   * Keeps a procedure's regions closed, if they are closed now, until the master starts again.
   * Skips regions that no longer exist.
   */
  static void keepClosed(ProcedureContext context, List<RegionInfo> regions) {
    List<RegionInfo> closed =
        regions.stream()
            .filter(
                region ->
                    context
                        .assignments()
                        .find(region.encodedName())
                        .filter(node -> node.state() == State.CLOSED)
                        .isPresent())
            .toList();
    want(context, closed, false, Completion.of(() -> {}, cause -> {}));
  }

  /** Returns the descriptor of the table that has the regions. */
  static TableSchema schema(ProcedureContext context, List<RegionInfo> regions) {
    return context.tables().find(regions.get(0).table()).orElseThrow().schema();
  }

  /** Does something to regions once they are closed. */
  static void close(
      ProcedureContext context, List<RegionInfo> regions, Work work, Completion completion) {
    // A master that has just started wants them open, as all regions of their tables.
    want(
        context,
        regions,
        false,
        Completion.of(
            () -> {
              TableSchema schema = schema(context, regions);
              context.onFiles(() -> work.run(schema), completion);
            },
            completion::failed));
  }
}
