package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.loop.MasterLoop.Lane;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;

/**
 * The steps by which regions take the place of others: a split's and a merge's. Each can be done
 * twice; the first two can be undone. Called by the loop's owner.
 *
 * @param parents the regions that go; the others open where the first of them was
 * @param heirs the regions that come
 * @param files makes the heirs' directories, once the parents are closed; it may wait
 * @param abandoned removes what there is of them; it may wait
 * @param change puts them in the parents' place, in one step
 * @param decided tells the tables of it
 * @param gap measures for how long rows are not served
 */
record RegionReplacement(
    ProcedureContext environment,
    List<RegionInfo> parents,
    List<RegionInfo> heirs,
    OpenRegions.Work files,
    MasterLoop.Work abandoned,
    CatalogChange change,
    Runnable decided,
    ServiceGap gap) {

  void closeParents(Completion completion) {
    gap.begin();
    OpenRegions.want(environment, parents, false, completion);
  }

  void writeHeirs(Completion completion) {
    OpenRegions.close(environment, parents, files, completion);
  }

  void decide(Completion completion) {
    // A master that has just started wants the parents open.
    OpenRegions.want(environment, parents, false, completion.then(() -> decideNow(completion)));
  }

  private void decideNow(Completion completion) {
    Optional<RegionStateNode> first = environment.assignments().find(parents.get(0).encodedName());
    if (first.isEmpty()) {
      completion.done(); // It was decided, and the master ended before it had written so.
      return;
    }
    Optional<ServerName> server = first.get().server();
    environment
        .catalog()
        .write(
            List.of(change),
            () -> {
              parents.forEach(environment.assignments()::remove);
              decided.run();
              for (RegionInfo heir : heirs) {
                environment.assignments().load(heir, State.CLOSED, server, -1);
              }
              completion.done();
            });
  }

  void openHeirs(Completion completion) {
    OpenRegions.want(
        environment,
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
    environment
        .loop()
        .perform(
            Lane.WORK,
            abandoned,
            completion.then(() -> OpenRegions.want(environment, parents, true, completion)));
  }
}
