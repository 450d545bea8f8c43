package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.table.TableResource;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.TruncateRegionStateData;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Empties one open region: it is closed, its files go to the archive, it is opened again. */
public final class TruncateRegionProcedure implements Procedure {
  private final ProcedureContext environment;
  private final String owner;
  private final RegionInfo region;

  /** Creates the procedure; {@code owner} is the requesting user. */
  public TruncateRegionProcedure(ProcedureContext environment, String owner, RegionInfo region) {
    this.environment = environment;
    this.owner = owner;
    this.region = region;
  }

  TruncateRegionProcedure(ProcedureContext environment, TruncateRegionStateData data) {
    this(
        environment,
        data.getUserInfo().getEffectiveUser(),
        Messages.regionInfo(data.getRegionInfo()));
  }

  @Override
  public ProcedureKind kind() {
    return ProcedureKind.TRUNCATE_REGION;
  }

  @Override
  public Message data() {
    return TruncateRegionStateData.newBuilder()
        .setUserInfo(TableResource.user(owner))
        .setRegionInfo(Messages.message(region))
        .build();
  }

  @Override
  public String resource() {
    return TableResource.of(region.table());
  }

  @Override
  public List<RegionInfo> lockedRegions() {
    // The master's description of the region: a client's may have another end key.
    return List.of(
        environment
            .assignments()
            .find(region.encodedName())
            .map(RegionStateNode::region)
            .orElse(region));
  }

  @Override
  public void prepare() {
    // As in HBase, the first step checks it, and an error is the call's result.
  }

  @Override
  public int undoableSteps() {
    return 1;
  }

  @Override
  public List<Step> steps() {
    return List.of(
        new Step("TRUNCATE_REGION_PRE_OPERATION", this::check),
        new Step("TRUNCATE_REGION_MAKE_OFFLINE", this::close),
        new Step("TRUNCATE_REGION_REMOVE", this::empty),
        new Step("TRUNCATE_REGION_MAKE_ONLINE", this::open));
  }

  private void check(Completion completion) {
    try {
      OpenRegions.require(environment, region, "truncate");
      completion.done();
    } catch (IOException e) {
      completion.failed(e);
    }
  }

  private void close(Completion completion) {
    OpenRegions.want(environment, List.of(region), false, completion);
  }

  private void empty(Completion completion) {
    OpenRegions.close(
        environment,
        List.of(region),
        schema -> {
          environment.files().endGeneration(region.table());
          environment.shapes().truncate(region, schema);
          environment.files().endGeneration(region.table());
        },
        completion);
  }

  private void open(Completion completion) {
    OpenRegions.want(environment, List.of(region), true, completion);
  }
}
