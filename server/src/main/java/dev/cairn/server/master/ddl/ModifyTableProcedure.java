package dev.cairn.server.master.ddl;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.catalog.DescriptorDefaults;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.table.MetaReplicas;
import dev.cairn.server.master.table.TableDescriptorChecker;
import dev.cairn.server.master.table.TrackerRules;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.InvalidFamilyOperationException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.ModifyTableStateData;

/**
 * Gives a table another descriptor: it is written, the regions are opened anew with it, and the
 * files of families that it no longer has are removed.
 */
public final class ModifyTableProcedure extends DescriptorProcedure {
  private final Change change;

  /** Makes the new descriptor of the present one. */
  @FunctionalInterface
  public interface Change {
    /**
     * Returns the new descriptor.
     *
     * @throws IOException for the client, if it cannot be made
     */
    TableSchema apply(TableSchema present) throws IOException;
  }

  /** Creates the procedure; {@code owner} is the requesting user. */
  public ModifyTableProcedure(
      ProcedureContext context, String owner, TableName table, Change change) {
    super(context, ProcedureKind.MODIFY_TABLE, owner, table);
    this.change = change;
  }

  ModifyTableProcedure(ProcedureContext context, ModifyTableStateData data) {
    super(context, ProcedureKind.MODIFY_TABLE, data);
    this.change = present -> present;
  }

  /** Adds a family. */
  public static Change add(HBaseProtos.ColumnFamilySchema family) {
    return present -> {
      if (present.family(family.getName().toByteArray()).isPresent()) {
        throw new InvalidFamilyOperationException(
            "Column family '"
                + family.getName().toStringUtf8()
                + "' in table '"
                + present.name()
                + "' already exists so cannot be added");
      }
      return TableDescriptorChecker.parse(
          present.message().toBuilder().addColumnFamilies(family).build());
    };
  }

  /** Replaces a family of the same name. */
  public static Change modify(HBaseProtos.ColumnFamilySchema family) {
    return present -> {
      int index = index(present, family.getName().toByteArray(), "modified");
      return TableDescriptorChecker.parse(
          present.message().toBuilder().setColumnFamilies(index, family).build());
    };
  }

  /** Removes a family. */
  public static Change delete(byte[] family) {
    return present -> {
      int index = index(present, family, "deleted");
      if (present.families().size() == 1) {
        throw new InvalidFamilyOperationException(
            "Column family '"
                + Bytes.utf8(family)
                + "' is the only column family in the table '"
                + present.name()
                + "', cannot delete it");
      }
      return TableDescriptorChecker.parse(
          present.message().toBuilder().removeColumnFamilies(index).build());
    };
  }

  private static int index(TableSchema present, byte[] family, String verb)
      throws InvalidFamilyOperationException {
    List<HBaseProtos.ColumnFamilySchema> families = present.message().getColumnFamiliesList();
    for (int i = 0; i < families.size(); i++) {
      if (Arrays.equals(families.get(i).getName().toByteArray(), family)) {
        return i;
      }
    }
    throw new InvalidFamilyOperationException(
        "Column family '"
            + Bytes.utf8(family)
            + "' does not exist in table '"
            + present.name()
            + "', so it cannot be "
            + verb);
  }

  @Override
  public void prepare() throws IOException {
    TableSchema present =
        table.isMeta() ? context.tables().require(table).schema() : requireChangeable();
    TableSchema wanted =
        DescriptorDefaults.complete(TrackerRules.carryOver(present, change.apply(present)));
    if (table.isMeta()) {
      MetaReplicas.checkChange(present, wanted);
    }
    plan(present, wanted);
    context.groups().checkChanged(present, wanted);
    TrackerScope.checkKnown(wanted, context.schemas());
    TableDescriptorChecker.checkChange(present, wanted, context.schemas());
    if (TrackerRules.checkChange(present, wanted, context.schemas())) {
      requireOpen();
    }
    context.schemas().warn(wanted, Optional.of(present));
  }

  @Override
  public List<Step> steps() {
    return List.of(
        new Step("MODIFY_TABLE_UPDATE_TABLE_DESCRIPTOR", this::writeDescriptor),
        new Step("MODIFY_TABLE_REOPEN_ALL_REGIONS", this::reopenRegions),
        new Step("MODIFY_TABLE_DELETE_FS_LAYOUT", this::deleteFamilies));
  }

  @Override
  public Optional<IOException> shortcoming() {
    return unserved("changed");
  }

  private void writeDescriptor(Completion completion) {
    Runnable write =
        () ->
            context
                .groups()
                .change(before(), after(), completion.then(() -> write(after(), completion)));
    if (removedFamilies().isEmpty()) {
      write.run();
      return;
    }
    // Before and after the regions lose the families: see TableGeneration.
    context.onFiles(() -> context.files().endGeneration(table), completion.then(write));
  }

  private void reopenRegions(Completion completion) {
    if (changesTrackers()) {
      reopenAll(completion);
    } else {
      context.assignments().reopen(table, completion);
    }
  }

  private boolean changesTrackers() {
    TableSchema now = after();
    return now.families().stream()
        .filter(family -> before().family(family.name()).isPresent())
        .anyMatch(family -> !tracking(now, family).equals(tracking(before(), family)));
  }

  private StoreFileTracking tracking(TableSchema schema, FamilySchema family) {
    return TrackerRules.tracking(
        schema, schema.family(family.name()).orElseThrow(), context.schemas());
  }

  private void deleteFamilies(Completion completion) {
    List<String> removed = removedFamilies();
    if (removed.isEmpty()) {
      completion.done();
      return;
    }
    List<RegionInfo> regions = context.assignments().regionsOf(table);
    context.onFiles(
        () -> {
          context.files().deleteFamilies(table, removed, regions);
          context.files().endGeneration(table);
        },
        completion);
  }
}
