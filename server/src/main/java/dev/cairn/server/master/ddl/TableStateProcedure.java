package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.NamespaceTable;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.table.Tables;
import dev.cairn.server.rpc.wire.NamedException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.DisableTableStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.EnableTableStateData;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Enables or disables a table: records the begin, opens or closes its regions, records the end. */
public final class TableStateProcedure extends TableProcedure {
  private final boolean enable;

  /** The table's state shows that the change has begun. */
  private final boolean resumed;

  /** Creates the procedure; {@code owner} is the requesting user. */
  public TableStateProcedure(
      ProcedureContext context, String owner, TableName table, boolean enable) {
    this(context, owner, table, enable, false);
  }

  private TableStateProcedure(
      ProcedureContext context, String owner, TableName table, boolean enable, boolean resumed) {
    super(context, enable ? ProcedureKind.ENABLE_TABLE : ProcedureKind.DISABLE_TABLE, owner, table);
    this.enable = enable;
    this.resumed = resumed;
  }

  /** Finishes an unfinished change. */
  public static TableStateProcedure resumed(
      ProcedureContext context, String owner, TableName table, boolean enable) {
    return new TableStateProcedure(context, owner, table, enable, true);
  }

  static TableStateProcedure of(ProcedureContext context, EnableTableStateData data) {
    return new TableStateProcedure(
        context,
        data.getUserInfo().getEffectiveUser(),
        Messages.tableName(data.getTableName()),
        true);
  }

  static TableStateProcedure of(ProcedureContext context, DisableTableStateData data) {
    return new TableStateProcedure(
        context,
        data.getUserInfo().getEffectiveUser(),
        Messages.tableName(data.getTableName()),
        false);
  }

  @Override
  @SuppressWarnings("deprecation") // A required field that nothing reads any more.
  public Message data() {
    return enable
        ? EnableTableStateData.newBuilder()
            .setUserInfo(user())
            .setTableName(Messages.message(table))
            .setSkipTableStateCheck(false)
            .build()
        : DisableTableStateData.newBuilder()
            .setUserInfo(user())
            .setTableName(Messages.message(table))
            .setSkipTableStateCheck(false)
            .build();
  }

  @Override
  public void prepare() throws IOException {
    if (resumed) {
      context.tables().require(table);
    } else if (enable) {
      context.tables().requireDisabled(table);
    } else if (table.isMeta() || table.equals(NamespaceTable.NAME)) {
      throw new NamedException(NamedException.CONSTRAINT, "Cannot disable " + table);
    } else {
      context.tables().requireEnabled(table);
    }
  }

  @Override
  public List<Step> steps() {
    return enable
        ? List.of(
            new Step("ENABLE_TABLE_SET_ENABLING_TABLE_STATE", set(TableState.State.ENABLING)),
            new Step("ENABLE_TABLE_MARK_REGIONS_ONLINE", this::moveRegions),
            new Step("ENABLE_TABLE_SET_ENABLED_TABLE_STATE", set(TableState.State.ENABLED)))
        : List.of(
            new Step("DISABLE_TABLE_SET_DISABLING_TABLE_STATE", set(TableState.State.DISABLING)),
            new Step("DISABLE_TABLE_MARK_REGIONS_OFFLINE", this::moveRegions),
            new Step("DISABLE_TABLE_SET_DISABLED_TABLE_STATE", set(TableState.State.DISABLED)));
  }

  @Override
  public Optional<IOException> shortcoming() {
    return enable ? unserved("enabled") : Optional.empty();
  }

  private Action set(TableState.State state) {
    return completion -> {
      Optional<Tables.Table> present = context.tables().find(table);
      if (present.isPresent()) {
        context.tables().set(present.get().schema(), state, completion);
      } else {
        completion.failed(
            new TableNotFoundException(table + " has no descriptor: restore .tabledesc"));
      }
    };
  }

  private void moveRegions(Completion completion) {
    context.assignments().want(table, enable, completion);
  }
}
