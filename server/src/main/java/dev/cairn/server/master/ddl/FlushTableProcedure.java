package dev.cairn.server.master.ddl;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.table.TableResource;
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
public final class FlushTableProcedure implements Procedure {
  private final ProcedureContext environment;
  private final TableName table;
  private final List<byte[]> families;

  /** Creates a flush of {@code families}, all of them if there are none. */
  public FlushTableProcedure(ProcedureContext environment, TableName table, List<byte[]> families) {
    this.environment = environment;
    this.table = table;
    this.families = families;
  }

  FlushTableProcedure(ProcedureContext environment, FlushTableProcedureStateData data) {
    this(
        environment,
        Messages.tableName(data.getTableName()),
        data.getColumnFamilyList().stream().map(ByteString::toByteArray).toList());
  }

  @Override
  public ProcedureKind kind() {
    return ProcedureKind.FLUSH_TABLE;
  }

  @Override
  public Message data() {
    return FlushTableProcedureStateData.newBuilder()
        .setTableName(Messages.message(table))
        .addAllColumnFamily(families.stream().map(Messages::wrap).toList())
        .build();
  }

  @Override
  public String resource() {
    return TableResource.of(table);
  }

  @Override
  public void prepare() throws IOException {
    if (!table.isMeta()) {
      Tables.Table present = environment.tables().requireEnabled(table);
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
    for (RegionStateNode node : environment.assignments().of(table)) {
      node.openServer().ifPresent(server -> open.add(new OpenRegion(node.region(), server)));
    }
    environment
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
        environment.calls().flush(open.server(), open.region(), Optional.empty());
      }
      for (byte[] family : families) {
        environment.calls().flush(open.server(), open.region(), Optional.of(family));
      }
    } catch (NotServingRegionException e) {
      // It was closed meanwhile, and so flushed.
    }
  }
}
