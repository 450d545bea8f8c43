package dev.cairn.server.master.ddl;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.region.lifecycle.RegionSplit;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.table.TableDescriptorChecker;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.SplitTableRegionStateData;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Splits a region in two: it is closed, daughters that refer to its files are created, {@code
 * hbase:meta} replaces it by them in one step, and they are opened on its server.
 */
public final class SplitRegionProcedure extends TableProcedure {
  private static final String NO = "false";

  private final RegionInfo parent;
  private final byte[] row;
  private final ServiceGap gap;
  private Optional<RegionSplit> split = Optional.empty();

  /**
   * Creates a split of an open region.
   *
   * @param row the first row of the upper daughter
   */
  public SplitRegionProcedure(
      ProcedureContext context, String owner, RegionInfo parent, byte[] row) {
    super(context, ProcedureKind.SPLIT_REGION, owner, parent.table());
    this.parent = parent;
    this.row = row;
    this.gap = new ServiceGap(context.clock());
  }

  SplitRegionProcedure(ProcedureContext context, SplitTableRegionStateData data) {
    this(
        context,
        data.getUserInfo().getEffectiveUser(),
        Messages.regionInfo(data.getParentRegionInfo()),
        data.getChildRegionInfo(1).getStartKey().toByteArray());
    this.split =
        Optional.of(RegionSplit.planned(parent, Messages.regionInfo(data.getChildRegionInfo(1))));
  }

  @Override
  public Message data() {
    return SplitTableRegionStateData.newBuilder()
        .setUserInfo(user())
        .setParentRegionInfo(Messages.message(parent))
        .addChildRegionInfo(Messages.message(planned().lower()))
        .addChildRegionInfo(Messages.message(planned().upper()))
        .build();
  }

  @Override
  public List<RegionInfo> lockedRegions() {
    return split.map(one -> List.of(parent, one.lower(), one.upper())).orElse(List.of(parent));
  }

  @Override
  public void prepare() throws IOException {
    OpenRegions.require(context, parent, "split");
    checkRow();
    context.namespaceQuota().checkSplit(parent);
    split = Optional.of(RegionSplit.plan(parent, row, context.regionIds().next(parent.regionId())));
  }

  private void checkRow() throws DoNotRetryIOException {
    if (Arrays.equals(row, parent.startKey())) {
      throw new DoNotRetryIOException("Split row is equal to startkey: " + show(row));
    }
    if (!parent.contains(row)) {
      throw new DoNotRetryIOException(
          "Split row is not inside region key range splitKey:"
              + show(row)
              + ", region: "
              + parent.regionNameAsString());
    }
    TableDescriptorChecker.checkStart(parent.table(), row);
  }

  private static String show(byte[] row) {
    return Bytes.toStringBinary(row);
  }

  private RegionSplit planned() {
    return split.orElseThrow();
  }

  private RegionReplacement replacement() {
    RegionSplit one = planned();
    return new RegionReplacement(
        context,
        List.of(parent),
        List.of(one.lower(), one.upper()),
        schema -> context.shapes().prepare(one, schema),
        schema -> context.shapes().write(one, schema),
        () -> context.shapes().abandon(one),
        opening -> change(one, opening),
        () -> context.tables().loadSplitParent(change(one, Optional.empty()).splitParent()),
        gap);
  }

  private CatalogChange.SplitRegion change(RegionSplit one, Optional<ServerName> opening) {
    return new CatalogChange.SplitRegion(parent, one.lower(), one.upper(), opening);
  }

  /** Keeps the parent closed, because the daughters refer to its present files. */
  @Override
  public void suspend() {
    OpenRegions.keepClosed(context, List.of(parent));
  }

  @Override
  public List<Step> steps() {
    RegionReplacement replacement = replacement();
    return List.of(
        // Checks again: the table or the switch may have changed since the request.
        check("SPLIT_TABLE_REGION_PREPARE", () -> checkAllowed(context, parent)),
        Step.endingWithNext("SPLIT_TABLE_REGION_CLOSE_PARENT_REGION", replacement::closeParents),
        new Step("SPLIT_TABLE_REGION_CREATE_DAUGHTER_REGIONS", replacement::writeHeirs),
        Step.endingWithNext("SPLIT_TABLE_REGION_UPDATE_META", replacement::decide),
        new Step("SPLIT_TABLE_REGION_OPEN_CHILD_REGIONS", replacement::openHeirs));
  }

  @Override
  public int undoableSteps() {
    return 3;
  }

  @Override
  public void undo(Completion completion) {
    replacement().undo(completion);
  }

  /**
   * Checks that the switch is on, and that the table lets its regions be split.
   *
   * @throws IOException naming the switch or the attribute that forbids it
   */
  public static void checkAllowed(ProcedureContext context, RegionInfo region) throws IOException {
    context.switches().requireSplits(region);
    TableSchema schema = context.tables().require(region.table()).schema();
    boolean disabled = schema.attribute("SPLIT_ENABLED").filter(NO::equalsIgnoreCase).isPresent();
    boolean never = context.schemas().splits().areDisabledFor(schema);
    if (disabled || never) {
      throw new DoNotRetryIOException(
          "Split region "
              + region.regionNameAsString()
              + " failed as region split is disabled for the table ("
              + (disabled ? "SPLIT_ENABLED" : "SPLIT_POLICY")
              + ")");
    }
  }
}
