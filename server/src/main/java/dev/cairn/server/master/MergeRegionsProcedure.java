package dev.cairn.server.master;

import dev.cairn.engine.region.RegionMerge;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.MasterLoop.Completion;
import dev.cairn.server.master.MasterLoop.Lane;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.exceptions.MergeRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.MergeTableRegionsStateData;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Merges regions that lie side by side: they are closed, one that refers to their files appears
 * beside them, {@code hbase:meta} puts it in their place in one step, and it is opened.
 */
final class MergeRegionsProcedure implements Procedure {
  private final Environment environment;
  private final String owner;
  private final List<RegionInfo> regions;
  private Optional<RegionMerge> merge = Optional.empty();

  /** Creates a merge of open regions. */
  MergeRegionsProcedure(Environment environment, String owner, List<RegionInfo> regions) {
    this.environment = environment;
    this.owner = owner;
    this.regions = regions;
  }

  MergeRegionsProcedure(Environment environment, MergeTableRegionsStateData data) {
    this(
        environment,
        data.getUserInfo().getEffectiveUser(),
        data.getRegionInfoList().stream().map(Messages::regionInfo).toList());
    this.merge =
        Optional.of(RegionMerge.planned(regions, Messages.regionInfo(data.getMergedRegionInfo())));
  }

  @Override
  public ProcedureKind kind() {
    return ProcedureKind.MERGE_REGIONS;
  }

  @Override
  public Message data() {
    return MergeTableRegionsStateData.newBuilder()
        .setUserInfo(TableResource.user(owner))
        .addAllRegionInfo(planned().parents().stream().map(Messages::message).toList())
        .setMergedRegionInfo(Messages.message(planned().merged()))
        .build();
  }

  @Override
  public String resource() {
    return TableResource.of(regions.get(0).table());
  }

  @Override
  public void prepare() throws IOException {
    for (RegionInfo region : regions) {
      OpenRegions.require(environment, region, "merge");
    }
    if (regions.stream().distinct().count() < regions.size()) {
      throw new MergeRegionException("Cannot merge a region with itself: " + regions);
    }
    try {
      merge = Optional.of(RegionMerge.plan(regions, environment.clock().currentTimeMillis()));
    } catch (IllegalArgumentException e) {
      throw new MergeRegionException(e.getMessage());
    }
  }

  private RegionMerge planned() {
    return merge.orElseThrow();
  }

  @Override
  public List<Step> steps() {
    return List.of(
        new Step("MERGE_TABLE_REGIONS_CLOSE_REGIONS", this::closeParents),
        new Step("MERGE_TABLE_REGIONS_CREATE_MERGED_REGION", this::createMerged),
        new Step("MERGE_TABLE_REGIONS_UPDATE_META", this::decide),
        new Step("MERGE_TABLE_REGIONS_OPEN_MERGED_REGION", this::openMerged));
  }

  @Override
  public int undoableSteps() {
    return 2;
  }

  @Override
  public void undo(Completion completion) {
    environment
        .loop()
        .perform(
            Lane.WORK,
            () -> environment.shapes().abandon(planned()),
            Completion.of(
                () -> OpenRegions.want(environment, planned().parents(), true, completion),
                completion::failed));
  }

  private void closeParents(Completion completion) {
    OpenRegions.want(environment, planned().parents(), false, completion);
  }

  private void createMerged(Completion completion) {
    OpenRegions.close(
        environment,
        planned().parents(),
        schema -> environment.shapes().write(planned(), schema),
        completion);
  }

  private void decide(Completion completion) {
    // A master that has just started wants the parents open.
    OpenRegions.want(
        environment, planned().parents(), false, completion.then(() -> decideNow(completion)));
  }

  private void decideNow(Completion completion) {
    RegionInfo merged = planned().merged();
    List<RegionInfo> parents = planned().parents();
    Optional<RegionNode> first = environment.assignments().find(parents.get(0).encodedName());
    if (first.isEmpty()) {
      completion.done(); // It was decided, and the master ended before it had written so.
      return;
    }
    Optional<ServerName> server = first.get().server;
    Map<RegionInfo, List<RegionInfo>> merges = environment.tables().merges();
    List<RegionInfo> earlier =
        parents.stream()
            .flatMap(parent -> merges.getOrDefault(parent, List.of()).stream())
            .toList();
    CatalogChange.MergeRegions change = new CatalogChange.MergeRegions(parents, merged, earlier);
    environment
        .catalog()
        .write(
            List.of(change),
            () -> {
              parents.forEach(environment.assignments()::remove);
              parents.forEach(environment.tables()::removeMerge);
              environment.tables().loadMerge(merged, change.named());
              environment.assignments().load(merged, State.CLOSED, server, -1);
              completion.done();
            });
  }

  private void openMerged(Completion completion) {
    OpenRegions.want(environment, List.of(planned().merged()), true, completion);
  }
}
