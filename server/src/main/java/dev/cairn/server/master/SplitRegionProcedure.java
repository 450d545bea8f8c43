package dev.cairn.server.master;

import dev.cairn.engine.region.RegionSplit;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.MasterLoop.Completion;
import dev.cairn.server.master.MasterLoop.Lane;
import dev.cairn.server.master.Switches.Switch;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.DoNotRetryRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.SplitTableRegionStateData;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Splits a region: it is closed, its daughters' files appear, {@code hbase:meta} is told in one
 * write, and the daughters are opened. Until that write the region can be opened again as it was,
 * and is, if the files cannot be made; {@link CatalogJanitor} removes it some time afterwards.
 */
final class SplitRegionProcedure implements Procedure {
  private final Environment environment;
  private final String owner;
  private final RegionSplit split;
  private final Predicate<Switch> isOn;

  /**
   * Creates the procedure.
   *
   * @param row the second daughter's first row
   * @param isOn tells whether a switch is on
   * @throws DoNotRetryRegionException if the region cannot be split there
   */
  SplitRegionProcedure(
      Environment environment, String owner, RegionInfo parent, byte[] row, Predicate<Switch> isOn)
      throws IOException {
    this.environment = environment;
    this.owner = owner;
    this.isOn = isOn;
    try {
      this.split = RegionSplit.plan(parent, row, environment.clock().currentTimeMillis());
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryRegionException(e.getMessage());
    }
  }

  /** Goes on with a stored one. */
  SplitRegionProcedure(Environment environment, SplitTableRegionStateData data) {
    this.environment = environment;
    this.owner = data.getUserInfo().getEffectiveUser();
    this.isOn = any -> true;
    RegionInfo upper = Messages.regionInfo(data.getChildRegionInfo(1));
    this.split =
        RegionSplit.plan(
            Messages.regionInfo(data.getParentRegionInfo()), upper.startKey(), upper.regionId());
  }

  @Override
  public ProcedureKind kind() {
    return ProcedureKind.SPLIT_REGION;
  }

  @Override
  public Message data() {
    return SplitTableRegionStateData.newBuilder()
        .setUserInfo(TableResource.user(owner))
        .setParentRegionInfo(Messages.message(split.parent()))
        .addChildRegionInfo(Messages.message(split.lower()))
        .addChildRegionInfo(Messages.message(split.upper()))
        .build();
  }

  @Override
  public String resource() {
    return TableResource.of(split.parent().table());
  }

  @Override
  public void prepare() throws IOException {
    if (!isOn.test(Switch.SPLIT)) {
      throw new DoNotRetryIOException("Split switch is off! parent region " + split.parent());
    }
    environment.tables().requireEnabled(split.parent().table());
    Optional<RegionNode> node = parent();
    if (node.isEmpty() || node.get().state != RegionState.State.OPEN) {
      throw new DoNotRetryRegionException(
          split.parent()
              + " is not open"
              + node.map(present -> ", but " + present.state).orElse(": there is no such region"));
    }
    environment.namespaceQuota().checkSplit(split.parent());
  }

  @Override
  public List<Step> steps() {
    return List.of(
        new Step("SPLIT_TABLE_REGION_CLOSE_PARENT_REGION", this::close),
        new Step("SPLIT_TABLE_REGION_CREATE_DAUGHTER_REGIONS", this::writeDaughters),
        new Step("SPLIT_TABLE_REGION_UPDATE_META", this::updateCatalog),
        new Step("SPLIT_TABLE_REGION_OPEN_CHILD_REGIONS", this::open));
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
            () -> environment.daughters().abandon(split),
            completion.then(
                () ->
                    parent()
                        .ifPresentOrElse(
                            node -> environment.assignments().want(node, true, completion),
                            completion::done)));
  }

  private Optional<RegionNode> parent() {
    return environment.assignments().find(split.parent().encodedName());
  }

  private void close(Completion completion) {
    parent()
        .ifPresentOrElse(
            node -> environment.assignments().want(node, false, completion), completion::done);
  }

  private void writeDaughters(Completion completion) {
    // A master that was started meanwhile has opened the region again, as all of the table.
    close(
        completion.then(
            () -> {
              TableSchema schema =
                  environment.tables().find(split.parent().table()).orElseThrow().schema();
              environment
                  .loop()
                  .perform(
                      Lane.WORK, () -> environment.daughters().write(split, schema), completion);
            }));
  }

  private void updateCatalog(Completion completion) {
    if (parent().isEmpty()) {
      completion.done(); // Done before; the daughters may be open by now.
      return;
    }
    close(
        completion.then(
            () ->
                environment
                    .catalog()
                    .write(
                        List.of(
                            new CatalogChange.SplitRegion(
                                split.parent(), split.lower(), split.upper())),
                        () -> {
                          replaceParent();
                          completion.done();
                        })));
  }

  private void replaceParent() {
    environment.assignments().remove(split.parent());
    environment.tables().loadSplitParent(split.parent().asSplit());
    for (RegionInfo daughter : List.of(split.lower(), split.upper())) {
      environment.assignments().load(daughter, RegionState.State.CLOSED, Optional.empty(), -1);
    }
  }

  private void open(Completion completion) {
    open(split.lower(), completion.then(() -> open(split.upper(), completion)));
  }

  private void open(RegionInfo daughter, Completion completion) {
    environment
        .assignments()
        .find(daughter.encodedName())
        .ifPresentOrElse(
            node -> environment.assignments().want(node, true, completion), completion::done);
  }
}
