package dev.cairn.server.master.assignment;

import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.meta.RegionStateStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;

/**
 * Writes the states of regions to {@code hbase:meta}, then drives the regions. Owned by the loop.
 */
final class RegionStateWrites {
  /** The time after which a change that {@code hbase:meta} refuses is tried again. */
  private static final Duration REFUSED_PAUSE = Duration.ofSeconds(30);

  private final RegionStateStore catalog;
  private final RegionStates nodes;
  private final RegionRequests requests;
  private final Consumer<RegionStateNode> drive;

  /**
   * Creates it.
   *
   * @param drive takes the next action for a region whose change is written
   */
  RegionStateWrites(
      RegionStateStore catalog,
      RegionStates nodes,
      RegionRequests requests,
      Consumer<RegionStateNode> drive) {
    this.catalog = catalog;
    this.nodes = nodes;
    this.requests = requests;
    this.drive = drive;
  }

  /**
   * Changes the state of a region here, and then in {@code hbase:meta}.
   *
   * @param afterwards runs once it is written, unless the state has changed again
   */
  void write(RegionStateNode node, State state, Optional<ServerName> server, Runnable afterwards) {
    write(node, state, server, Completion.UNHEARD, afterwards);
  }

  /**
   * As {@link #write(RegionStateNode, State, Optional, Runnable)}.
   *
   * @param written completes once the state is written; fails if the write failed and the state has
   *     changed meanwhile
   */
  void write(
      RegionStateNode node,
      State state,
      Optional<ServerName> server,
      Completion written,
      Runnable afterwards) {
    nodes.change(node, state, server);
    if (node.isOfMeta() || server.isEmpty()) {
      // hbase:meta does not list itself; a region that never was anywhere is closed as it is.
      written.done();
      afterwards.run();
      if (node.isOfMeta() && node.isReplica()) {
        drive.accept(node); // A replica that is closed for good is retired.
      } else if (node.isSettled()) {
        nodes.settled(node);
      }
      return;
    }
    node.writing = true;
    write(
        node,
        new CatalogChange.SetRegionState(node.region, state, server.get()),
        written,
        afterwards);
  }

  /**
   * Writes a change of a region. If {@code hbase:meta} refuses it, tries it again after a pause.
   */
  void write(RegionStateNode node, CatalogChange change, Runnable afterwards) {
    write(node, change, Completion.UNHEARD, afterwards);
  }

  private void write(
      RegionStateNode node, CatalogChange change, Completion written, Runnable afterwards) {
    long epoch = node.epoch;
    catalog.write(
        List.of(change),
        Completion.of(
            () -> {
              written.done();
              // Otherwise the server has gone meanwhile, and with it the reason for the next
              // action.
              if (node.epoch == epoch) {
                node.writing = false;
                afterwards.run();
                drive.accept(node);
              }
            },
            cause -> {
              if (node.epoch == epoch) {
                requests.after(node, REFUSED_PAUSE, () -> write(node, change, written, afterwards));
              } else {
                written.failed(cause);
              }
            }));
  }
}
