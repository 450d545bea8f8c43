package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.ProcedureKind;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.ModifyTableStateData;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** A procedure that replaces the descriptor of a table. Its steps are idempotent. */
abstract class DescriptorProcedure extends TableProcedure {
  private Optional<TableSchema> before = Optional.empty();
  private Optional<TableSchema> after = Optional.empty();

  DescriptorProcedure(ProcedureContext context, ProcedureKind kind, String owner, TableName table) {
    super(context, kind, owner, table);
  }

  DescriptorProcedure(ProcedureContext context, ProcedureKind kind, ModifyTableStateData data) {
    this(
        context,
        kind,
        data.getUserInfo().getEffectiveUser(),
        Messages.tableName(data.getModifiedTableSchema().getTableName()));
    plan(
        new TableSchema(data.getUnmodifiedTableSchema()),
        new TableSchema(data.getModifiedTableSchema()));
  }

  @Override
  public final Message data() {
    return ModifyTableStateData.newBuilder()
        .setUserInfo(user())
        .setUnmodifiedTableSchema(before().message())
        .setModifiedTableSchema(after().message())
        .setDeleteColumnFamilyInModify(!removedFamilies().isEmpty())
        .build();
  }

  /** Determines the present descriptor and the new one. */
  final void plan(TableSchema present, TableSchema wanted) {
    before = Optional.of(present);
    after = Optional.of(wanted);
  }

  final TableSchema before() {
    return before.orElseThrow();
  }

  final TableSchema after() {
    return after.orElseThrow();
  }

  final List<String> removedFamilies() {
    return before().families().stream()
        .filter(family -> after().family(family.name()).isEmpty())
        .map(FamilySchema::nameAsString)
        .toList();
  }

  /**
   * Returns the present descriptor of a table that can be changed.
   *
   * @throws IOException for the client, if there is no such table, or if it is {@code hbase:meta}
   */
  final TableSchema requireChangeable() throws IOException {
    if (table.isMeta()) {
      throw new DoNotRetryIOException("The descriptor of hbase:meta cannot be changed");
    }
    return context.tables().require(table).schema();
  }

  /**
   * Checks that the table is enabled, and that all its regions are open or about to open.
   *
   * @throws IOException for the client, if not
   */
  final void requireOpen() throws IOException {
    context.tables().requireEnabled(table);
    for (RegionStateNode node : context.assignments().of(table)) {
      if (!node.isWantedOpen()) {
        throw closed(node);
      }
    }
  }

  /** Writes and publishes a descriptor. */
  final void write(TableSchema schema, Completion completion) {
    context.onFiles(
        () -> context.files().descriptors().replace(schema),
        completion.then(
            () -> {
              context.tables().replace(schema);
              completion.done();
            }));
  }

  /** Reopens all regions; fails if one of them is not open afterwards. */
  final void reopenAll(Completion completion) {
    context
        .assignments()
        .reopen(
            table,
            completion.then(
                () ->
                    context.assignments().of(table).stream()
                        .filter(node -> node.openServer().isEmpty())
                        .findFirst()
                        .ifPresentOrElse(
                            node -> completion.failed(closed(node)), completion::done)));
  }

  private static IOException closed(RegionStateNode node) {
    return new DoNotRetryIOException(
        "The store file tracker changes while all regions are open, and "
            + node.region().regionNameAsString()
            + " is closed: assign it first");
  }
}
