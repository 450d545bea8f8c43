package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps by which regions take the place of others: a split's and a merge's. Each can be
 * repeated, as can the first two together and the last two together. The first two can be undone.
 * Called by the loop's owner.
 *
 * <p>Rows are not served from the closing of the parents to the opening of the heirs. To shorten
 * that gap, the parents are flushed and the heirs' directories are made before it.
 *
 * @param parents the regions that go; the others open where the first of them was
 * @param heirs the regions that come
 * @param prepared makes everything of the heirs that does not depend on the parents' files; it may
 *     wait
 * @param files makes the heirs' directories, once the parents are closed; it may wait
 * @param abandoned removes them, complete or not; it may wait
 * @param change puts the heirs in the parents' place, in one step; the given server, if any, is to
 *     open them
 * @param decided tells the tables of it
 * @param gap measures for how long rows are not served
 */
record RegionReplacement(
    ProcedureContext context,
    List<RegionInfo> parents,
    List<RegionInfo> heirs,
    OpenRegions.Work prepared,
    OpenRegions.Work files,
    MasterLoop.Work abandoned,
    Function<Optional<ServerName>, CatalogChange> change,
    Runnable decided,
    ServiceGap gap) {

  private static final Logger LOG = LoggerFactory.getLogger(RegionReplacement.class);

  private record OpenParent(RegionInfo region, ServerName server) {}

  void closeParents(Completion completion) {
    List<OpenParent> open = new ArrayList<>();
    for (RegionInfo parent : parents) {
      context
          .assignments()
          .find(parent.encodedName())
          .flatMap(RegionStateNode::openServer)
          .ifPresent(server -> open.add(new OpenParent(parent, server)));
    }
    TableSchema schema = OpenRegions.schema(context, parents);
    // A server that hangs must not delay changes of regions at other servers.
    boolean same = open.stream().map(OpenParent::server).distinct().count() == 1;
    context
        .loop()
        .perform(
            same ? Lane.requests(open.get(0).server()) : Lane.REQUESTS,
            () -> {
              open.forEach(this::flush);
              prepared.run(schema);
            },
            completion.then(
                () -> {
                  gap.begin();
                  OpenRegions.want(context, parents, false, completion);
                }));
  }

  /** Flushes a parent while it serves. Without that, the flush at its closing takes longer. */
  private void flush(OpenParent parent) {
    try {
      context.calls().flush(parent.server(), parent.region(), Optional.empty());
    } catch (IOException e) {
      LOG.info("{} is not flushed before it closes: {}", parent.region(), e.toString());
    }
  }

  void writeHeirs(Completion completion) {
    OpenRegions.close(context, parents, files, completion);
  }

  void decide(Completion completion) {
    if (haveServedSince()) {
      LOG.warn("{} have served since the creation of {}, which is repeated", parents, heirs);
      writeHeirs(completion.then(() -> decideNow(completion)));
      return;
    }
    // A master that has just started wants the parents open.
    OpenRegions.want(context, parents, false, completion.then(() -> decideNow(completion)));
  }

  /**
   * Tells whether a parent is no longer closed. The creation of the heirs left all parents closed,
   * but earlier versions opened them if the table was damaged at the start.
   */
  private boolean haveServedSince() {
    return parents.stream()
        .flatMap(parent -> context.assignments().find(parent.encodedName()).stream())
        .anyMatch(node -> node.state() != State.CLOSED);
  }

  private void decideNow(Completion completion) {
    Optional<RegionStateNode> first = context.assignments().find(parents.get(0).encodedName());
    if (first.isEmpty()) {
      completion.done(); // It was decided, and the master ended before it had written so.
      return;
    }
    Optional<ServerName> last = first.get().server();
    Optional<ServerName> opening = context.assignments().serverForHeirs(first.get(), heirs);
    context
        .catalog()
        .write(
            List.of(change.apply(opening)),
            completion.then(
                () -> {
                  parents.forEach(context.assignments()::remove);
                  decided.run();
                  context.replaced().accept(parents, heirs);
                  for (RegionInfo heir : heirs) {
                    opening.ifPresentOrElse(
                        server -> context.assignments().loadOpening(heir, server),
                        () -> context.assignments().load(heir, State.CLOSED, last, -1));
                  }
                  completion.done();
                }));
  }

  void openHeirs(Completion completion) {
    OpenRegions.want(
        context,
        heirs,
        true,
        completion.then(
            () -> {
              gap.end(parents, heirs);
              completion.done();
            }));
  }

  /** Undoes the first two steps. */
  void undo(Completion completion) {
    context.onFiles(
        abandoned, completion.then(() -> OpenRegions.want(context, parents, true, completion)));
  }
}
