package dev.cairn.server.catalog;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.CatalogContents.IncompleteRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;

/** Reads {@code hbase:meta} out of its region itself, with no server in between. */
public final class StoredCatalog {
  private StoredCatalog() {}

  /** Returns the contents of {@code meta}, the open region of {@code hbase:meta}. */
  public static CatalogContents read(Region meta) throws IOException {
    List<RegionRow> regions = new ArrayList<>();
    Map<TableName, HBaseProtos.TableState.State> tables = new HashMap<>();
    List<IncompleteRow> incomplete = new ArrayList<>();
    ScanRequest request =
        ScanRequest.builder()
            .family(MetaFormat.INFO, FamilySelection.ALL)
            .family(MetaFormat.TABLE, FamilySelection.ALL)
            .build();
    CellBuffer row = new CellBuffer();
    try (RegionRead read = meta.read(request, ReadBudget.WHOLE_ROWS)) {
      while (read.next(row, ReadBudget.WHOLE_ROWS) != ScanProgress.END) {
        if (!row.isEmpty()) {
          List<CellProtos.Cell> cells = new ArrayList<>();
          for (int i = 0; i < row.size(); i++) {
            cells.add(message(row.get(i)));
          }
          MetaFormat.region(cells).ifPresent(regions::add);
          MetaFormat.incomplete(cells).ifPresent(incomplete::add);
          MetaFormat.tableState(cells)
              .ifPresent(
                  state ->
                      tables.put(TableName.parse(cells.get(0).getRow().toStringUtf8()), state));
        }
        row.clear();
      }
    }
    return new CatalogContents(regions, tables, incomplete);
  }

  private static CellProtos.Cell message(Cell cell) {
    return CellProtos.Cell.newBuilder()
        .setRow(Messages.wrap(cell.row()))
        .setFamily(Messages.wrap(cell.family()))
        .setQualifier(Messages.wrap(cell.qualifier()))
        .setTimestamp(cell.timestamp())
        .setValue(Messages.wrap(cell.value()))
        .build();
  }
}
