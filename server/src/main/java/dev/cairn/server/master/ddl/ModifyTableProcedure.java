package dev.cairn.server.master.ddl;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.DescriptorDefaults;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.table.TableDescriptorChecker;
import dev.cairn.server.master.table.TableResource;
import dev.cairn.server.master.table.TrackerRules;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.InvalidFamilyOperationException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.ModifyTableStateData;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Gives a table another descriptor: it is written, the regions are opened anew with it, and the
 * files of families that it no longer has are removed.
 */
public final class ModifyTableProcedure implements Procedure {
  private final ProcedureContext environment;
  private final String owner;
  private final TableName table;
  private final Change change;
  private Optional<TableSchema> before = Optional.empty();
  private Optional<TableSchema> after = Optional.empty();

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
      ProcedureContext environment, String owner, TableName table, Change change) {
    this.environment = environment;
    this.owner = owner;
    this.table = table;
    this.change = change;
  }

  ModifyTableProcedure(ProcedureContext environment, ModifyTableStateData data) {
    this(
        environment,
        data.getUserInfo().getEffectiveUser(),
        Messages.tableName(data.getModifiedTableSchema().getTableName()),
        present -> present);
    this.before = Optional.of(new TableSchema(data.getUnmodifiedTableSchema()));
    this.after = Optional.of(new TableSchema(data.getModifiedTableSchema()));
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
  public ProcedureKind kind() {
    return ProcedureKind.MODIFY_TABLE;
  }

  @Override
  public Message data() {
    return ModifyTableStateData.newBuilder()
        .setUserInfo(TableResource.user(owner))
        .setUnmodifiedTableSchema(before.orElseThrow().message())
        .setModifiedTableSchema(after.orElseThrow().message())
        .setDeleteColumnFamilyInModify(!removedFamilies().isEmpty())
        .build();
  }

  @Override
  public String resource() {
    return TableResource.of(table);
  }

  @Override
  public void prepare() throws IOException {
    TableSchema present = DescriptorChange.requireChangeable(environment, table);
    TableSchema wanted =
        DescriptorDefaults.complete(TrackerRules.carryOver(present, change.apply(present)));
    before = Optional.of(present);
    after = Optional.of(wanted);
    TrackerScope.checkKnown(wanted, environment.schemas());
    TableDescriptorChecker.check(wanted, environment.schemas());
    if (TrackerRules.checkChange(present, wanted, environment.schemas())) {
      new DescriptorChange(environment).requireOpen(table);
    }
    environment.schemas().warn(wanted, Optional.of(present));
  }

  @Override
  public List<Step> steps() {
    return List.of(
        new Step("MODIFY_TABLE_UPDATE_TABLE_DESCRIPTOR", this::writeDescriptor),
        new Step("MODIFY_TABLE_REOPEN_ALL_REGIONS", this::reopen),
        new Step("MODIFY_TABLE_DELETE_FS_LAYOUT", this::deleteFamilies));
  }

  private void writeDescriptor(Completion completion) {
    Runnable write = () -> new DescriptorChange(environment).write(after.orElseThrow(), completion);
    if (removedFamilies().isEmpty()) {
      write.run();
      return;
    }
    // Before and after the regions lose the families: see TableGeneration.
    environment
        .loop()
        .perform(
            Lane.FILES, () -> environment.files().endGeneration(table), completion.then(write));
  }

  private void reopen(Completion completion) {
    int now = after.orElseThrow().regionReplication();
    int old = before.orElseThrow().regionReplication();
    if (now >= old) {
      reopenRegions(completion);
      return;
    }
    List<CatalogChange> gone =
        environment.assignments().regionsOf(table).stream()
            .<CatalogChange>map(region -> new CatalogChange.RemoveReplicas(region, now, old))
            .toList();
    environment.catalog().write(gone, completion.then(() -> reopenRegions(completion)));
  }

  private void reopenRegions(Completion completion) {
    if (changesTrackers()) {
      new DescriptorChange(environment).reopenAll(table, completion);
    } else {
      environment.assignments().reopen(table, completion);
    }
  }

  private boolean changesTrackers() {
    TableSchema now = after.orElseThrow();
    return now.families().stream()
        .filter(family -> before.orElseThrow().family(family.name()).isPresent())
        .anyMatch(family -> !tracking(now, family).equals(tracking(before.orElseThrow(), family)));
  }

  private StoreFileTracking tracking(TableSchema schema, FamilySchema family) {
    return TrackerRules.tracking(
        schema, schema.family(family.name()).orElseThrow(), environment.schemas());
  }

  private void deleteFamilies(Completion completion) {
    List<String> removed = removedFamilies();
    if (removed.isEmpty()) {
      completion.done();
      return;
    }
    List<RegionInfo> regions = environment.assignments().regionsOf(table);
    environment
        .loop()
        .perform(
            Lane.FILES,
            () -> {
              environment.files().deleteFamilies(table, removed, regions);
              environment.files().endGeneration(table);
            },
            completion);
  }

  private List<String> removedFamilies() {
    List<String> removed = new ArrayList<>();
    for (FamilySchema family : before.orElseThrow().families()) {
      if (after.orElseThrow().family(family.name()).isEmpty()) {
        removed.add(family.nameAsString());
      }
    }
    return removed;
  }
}
