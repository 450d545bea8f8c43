package dev.cairn.server.master.ddl;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.table.Tables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.FlushTableProcedureStateData;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Has every open region of a table write its memory to files. */
public final class FlushTableProcedure extends TableProcedure {
  /** The stored form has no owner. */
  private static final String NO_OWNER = "";

  private final List<byte[]> families;

  /** Creates a flush of {@code families}, all of them if there are none. */
  public FlushTableProcedure(ProcedureContext context, TableName table, List<byte[]> families) {
    super(context, ProcedureKind.FLUSH_TABLE, NO_OWNER, table);
    this.families = families;
  }

  FlushTableProcedure(ProcedureContext context, FlushTableProcedureStateData data) {
    this(
        context,
        Messages.tableName(data.getTableName()),
        data.getColumnFamilyList().stream().map(ByteString::toByteArray).toList());
  }

  @Override
  public Message data() {
    return FlushTableProcedureStateData.newBuilder()
        .setTableName(Messages.message(table))
        .addAllColumnFamily(families.stream().map(Messages::wrap).toList())
        .build();
  }

  @Override
  public void prepare() throws IOException {
    if (!table.isMeta()) {
      Tables.Table present = context.tables().requireEnabled(table);
      List<String> missing =
          families.stream()
              .filter(family -> present.schema().family(family).isEmpty())
              .map(Bytes::utf8)
              .toList();
      if (!missing.isEmpty()) {
        throw new NoSuchColumnFamilyException(
            "Column families " + missing + " don't exist in table " + table);
      }
    }
  }

  @Override
  public List<Step> steps() {
    return List.of(new Step("FLUSH_TABLE_FLUSH_REGIONS", this::flush));
  }

  private record OpenRegion(RegionInfo region, ServerName server) {}

  private void flush(Completion completion) {
    // A region that is on its way is flushed by being closed.
    List<OpenRegion> open = new ArrayList<>();
    for (RegionStateNode node : context.assignments().of(table)) {
      node.openServer().ifPresent(server -> open.add(new OpenRegion(node.region(), server)));
    }
    context
        .loop()
        .perform(
            Lane.REQUESTS,
            () -> {
              for (OpenRegion one : open) {
                flush(one);
              }
            },
            completion);
  }

  private void flush(OpenRegion open) throws IOException {
    try {
      if (families.isEmpty()) {
        context.calls().flush(open.server(), open.region(), Optional.empty());
      }
      for (byte[] family : families) {
        context.calls().flush(open.server(), open.region(), Optional.of(family));
      }
    } catch (NotServingRegionException e) {
      // It was closed meanwhile, and so flushed.
    }
  }
}
