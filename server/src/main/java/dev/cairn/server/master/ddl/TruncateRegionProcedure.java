package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.ProcedureKind;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.TruncateRegionStateData;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Empties one open region: it is closed, its files go to the archive, it is opened again. */
public final class TruncateRegionProcedure extends TableProcedure {
  private final RegionInfo region;

  /** Creates the procedure; {@code owner} is the requesting user. */
  public TruncateRegionProcedure(ProcedureContext context, String owner, RegionInfo region) {
    super(context, ProcedureKind.TRUNCATE_REGION, owner, region.table());
    this.region = region;
  }

  TruncateRegionProcedure(ProcedureContext context, TruncateRegionStateData data) {
    this(context, data.getUserInfo().getEffectiveUser(), Messages.regionInfo(data.getRegionInfo()));
  }

  @Override
  public Message data() {
    return TruncateRegionStateData.newBuilder()
        .setUserInfo(user())
        .setRegionInfo(Messages.message(region))
        .build();
  }

  @Override
  public List<RegionInfo> lockedRegions() {
    // The master's description of the region: a client's may have another end key.
    return List.of(
        context
            .assignments()
            .find(region.encodedName())
            .map(RegionStateNode::region)
            .orElse(region));
  }

  @Override
  public void prepare() {
    // As in HBase, the first step checks it, and an error is the call's result.
  }

  /** Keeps the region closed, so that no writes come between two attempts to empty it. */
  @Override
  public void suspend() {
    OpenRegions.keepClosed(context, List.of(region));
  }

  @Override
  public int undoableSteps() {
    return 1;
  }

  @Override
  public List<Step> steps() {
    return List.of(
        check(
            "TRUNCATE_REGION_PRE_OPERATION",
            () -> OpenRegions.require(context, region, "truncate")),
        new Step("TRUNCATE_REGION_MAKE_OFFLINE", completion -> want(false, completion)),
        new Step("TRUNCATE_REGION_REMOVE", this::empty),
        new Step("TRUNCATE_REGION_MAKE_ONLINE", completion -> want(true, completion)));
  }

  private void empty(Completion completion) {
    OpenRegions.close(
        context,
        List.of(region),
        schema -> {
          context.files().endGeneration(region.table());
          context.shapes().truncate(region, schema);
          context.files().endGeneration(region.table());
        },
        completion);
  }

  private void want(boolean open, Completion completion) {
    OpenRegions.want(context, List.of(region), open, completion);
  }
}
