package dev.cairn.server.master.ddl;

import dev.cairn.engine.region.RegionMerge;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.table.TableResource;
import dev.cairn.server.master.table.Tables;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.exceptions.MergeRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.MergeTableRegionsStateData;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Merges regions that lie side by side: they are closed, one that refers to their files appears
 * beside them, {@code hbase:meta} puts it in their place in one step, and it is opened.
 */
public final class MergeRegionsProcedure implements Procedure {
  private final ProcedureContext environment;
  private final String owner;
  private final List<RegionInfo> regions;
  private Optional<RegionMerge> merge = Optional.empty();

  /** Creates a merge of open regions. */
  public MergeRegionsProcedure(
      ProcedureContext environment, String owner, List<RegionInfo> regions) {
    this.environment = environment;
    this.owner = owner;
    this.regions = regions;
  }

  MergeRegionsProcedure(ProcedureContext environment, MergeTableRegionsStateData data) {
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
    checkAllowed();
    if (regions.stream().distinct().count() < regions.size()) {
      throw new MergeRegionException("Cannot merge a region with itself: " + regions);
    }
    try {
      merge = Optional.of(RegionMerge.plan(regions, environment.clock().currentTimeMillis()));
    } catch (IllegalArgumentException e) {
      throw new MergeRegionException(e.getMessage());
    }
  }

  /** Checked once nobody else changes the table; its default is to allow. */
  private void checkAllowed() throws IOException {
    environment.switches().requireMerges(regions);
    TableName table = regions.get(0).table();
    boolean disabled =
        environment
            .tables()
            .require(table)
            .schema()
            .attribute("MERGE_ENABLED")
            .filter("false"::equalsIgnoreCase)
            .isPresent();
    if (disabled) {
      throw new MergeRegionException("Merge is disabled on table " + table + " (MERGE_ENABLED)");
    }
  }

  private RegionMerge planned() {
    return merge.orElseThrow();
  }

  private RegionReplacement replacement() {
    RegionMerge one = planned();
    Tables tables = environment.tables();
    Map<RegionInfo, List<RegionInfo>> merges = tables.merges();
    List<RegionInfo> earlier =
        one.parents().stream()
            .flatMap(parent -> merges.getOrDefault(parent, List.of()).stream())
            .toList();
    CatalogChange.MergeRegions change =
        new CatalogChange.MergeRegions(one.parents(), one.merged(), earlier);
    return new RegionReplacement(
        environment,
        one.parents(),
        List.of(one.merged()),
        schema -> environment.shapes().write(one, schema),
        () -> environment.shapes().abandon(one),
        change,
        () -> {
          one.parents().forEach(tables::removeMerge);
          tables.loadMerge(one.merged(), change.named());
        });
  }

  @Override
  public List<Step> steps() {
    RegionReplacement replacement = replacement();
    return List.of(
        new Step("MERGE_TABLE_REGIONS_CLOSE_REGIONS", replacement::closeParents),
        new Step("MERGE_TABLE_REGIONS_CREATE_MERGED_REGION", replacement::writeHeirs),
        new Step("MERGE_TABLE_REGIONS_UPDATE_META", replacement::decide),
        new Step("MERGE_TABLE_REGIONS_OPEN_MERGED_REGION", replacement::openHeirs));
  }

  @Override
  public int undoableSteps() {
    return 2;
  }

  @Override
  public void undo(Completion completion) {
    replacement().undo(completion);
  }
}
