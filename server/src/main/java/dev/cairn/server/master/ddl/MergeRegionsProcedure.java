package dev.cairn.server.master.ddl;

import dev.cairn.engine.region.lifecycle.RegionMerge;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.table.Tables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.exceptions.MergeRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.MergeTableRegionsStateData;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Merges adjoining regions: they are closed, a region that refers to their files is created, {@code
 * hbase:meta} replaces them by it in one step, and it is opened. A forced merge also takes regions
 * that do not adjoin or that overlap.
 */
public final class MergeRegionsProcedure extends TableProcedure {
  private final List<RegionInfo> regions;
  private final Kind kind;
  private final ServiceGap gap;
  private Optional<RegionMerge> merge = Optional.empty();

  /** The kinds of merges: regions they accept, and when they run. */
  public enum Kind {
    /** Regions that adjoin, if merges are allowed. */
    ADJACENT,
    /** All that {@link MergeRegionsProcedure#covered} returns, if merges are allowed. */
    FORCED,
    /** All that {@link MergeRegionsProcedure#covered} returns, because they overlap. */
    OVERLAPPING
  }

  /** Creates a merge of open regions. */
  public MergeRegionsProcedure(
      ProcedureContext context, String owner, List<RegionInfo> regions, Kind kind) {
    super(context, ProcedureKind.MERGE_REGIONS, owner, regions.get(0).table());
    this.regions = regions;
    this.kind = kind;
    this.gap = new ServiceGap(context.clock());
  }

  MergeRegionsProcedure(ProcedureContext context, MergeTableRegionsStateData data) {
    this(
        context,
        data.getUserInfo().getEffectiveUser(),
        regions(data.getRegionInfoList()),
        data.getForcible() ? Kind.FORCED : Kind.ADJACENT);
    this.merge =
        Optional.of(RegionMerge.planned(regions, Messages.regionInfo(data.getMergedRegionInfo())));
  }

  @Override
  public Message data() {
    return MergeTableRegionsStateData.newBuilder()
        .setUserInfo(user())
        .addAllRegionInfo(messages(planned().parents()))
        .setMergedRegionInfo(Messages.message(planned().merged()))
        .setForcible(kind != Kind.ADJACENT)
        .build();
  }

  @Override
  public List<RegionInfo> lockedRegions() {
    List<RegionInfo> all = new ArrayList<>(regions);
    merge.ifPresent(one -> all.add(one.merged()));
    return all;
  }

  @Override
  public void prepare() throws IOException {
    for (RegionInfo region : regions) {
      OpenRegions.require(context, region, "merge");
    }
    if (kind != Kind.OVERLAPPING) {
      checkAllowed(context, regions);
    }
    long now = context.regionIds().next(0);
    try {
      if (kind != Kind.ADJACENT) {
        checkCovered();
        merge = Optional.of(RegionMerge.forced(regions, now));
      } else {
        merge = Optional.of(RegionMerge.plan(regions, now));
      }
    } catch (IllegalArgumentException e) {
      throw new MergeRegionException(e.getMessage());
    }
  }

  /**
   * Returns the regions of the same table that have rows from the first to the last row of some
   * regions. A merged region with these rows would overlap every one that is left out.
   */
  static List<RegionInfo> covered(ProcedureContext context, List<RegionInfo> regions) {
    RegionInfo whole = RegionMerge.forced(regions, 0).merged();
    return context.assignments().regionsOf(whole.table()).stream()
        .filter(region -> region.replicaId() == 0 && region.overlaps(whole))
        .toList();
  }

  private void checkCovered() throws MergeRegionException {
    if (!Set.copyOf(covered(context, regions)).equals(Set.copyOf(regions))) {
      throw new MergeRegionException(
          "Regions of table "
              + table
              + " were split or merged meanwhile; merge them by their new names");
    }
  }

  /**
   * Checks that merges are allowed. Called once no other procedure changes the table's descriptor.
   */
  public static void checkAllowed(ProcedureContext context, List<RegionInfo> regions)
      throws IOException {
    context.switches().requireMerges(regions);
    boolean disabled =
        context
            .tables()
            .require(regions.get(0).table())
            .schema()
            .attribute("MERGE_ENABLED")
            .filter("false"::equalsIgnoreCase)
            .isPresent();
    if (disabled) {
      throw new DoNotRetryIOException(
          "Merge of "
              + regions.stream().map(RegionInfo::regionNameAsString).toList()
              + " failed as region merge is disabled for the table (MERGE_ENABLED)");
    }
  }

  private RegionMerge planned() {
    return merge.orElseThrow();
  }

  private RegionReplacement replacement() {
    RegionMerge one = planned();
    Tables tables = context.tables();
    Map<RegionInfo, List<RegionInfo>> merges = tables.merges();
    List<RegionInfo> earlier =
        one.parents().stream()
            .flatMap(parent -> merges.getOrDefault(parent, List.of()).stream())
            .toList();
    Function<Optional<ServerName>, CatalogChange.MergeRegions> change =
        opening -> new CatalogChange.MergeRegions(one.parents(), one.merged(), earlier, opening);
    return new RegionReplacement(
        context,
        one.parents(),
        List.of(one.merged()),
        schema -> context.shapes().prepare(one, schema),
        schema -> context.shapes().write(one, schema),
        () -> context.shapes().abandon(one),
        change::apply,
        () -> {
          one.parents().forEach(tables::removeMerge);
          tables.loadMerge(one.merged(), change.apply(Optional.empty()).named());
        },
        gap);
  }

  /** Keeps the parents closed, because the merged region refers to their present files. */
  @Override
  public void suspend() {
    OpenRegions.keepClosed(context, regions);
  }

  @Override
  public List<Step> steps() {
    RegionReplacement replacement = replacement();
    return List.of(
        Step.endingWithNext("MERGE_TABLE_REGIONS_CLOSE_REGIONS", replacement::closeParents),
        new Step("MERGE_TABLE_REGIONS_CREATE_MERGED_REGION", replacement::writeHeirs),
        Step.endingWithNext("MERGE_TABLE_REGIONS_UPDATE_META", replacement::decide),
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
