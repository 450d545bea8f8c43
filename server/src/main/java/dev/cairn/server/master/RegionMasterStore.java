package dev.cairn.server.master;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.Mutation;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.RegionScanner;
import dev.cairn.engine.scan.ScanLimits;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The master's store in a region of the engine: {@code MasterData/data/master/store} under the root
 * directory, with a log of its own in {@code MasterData/WALs}, as HBase has it. A section is a
 * family; all values lie under the qualifier {@code d}.
 */
public final class RegionMasterStore implements MasterStore {
  /** The directory, under the root directory, that holds the region and its log. */
  public static final String DIRECTORY = "MasterData";

  /** The table that the region is of. */
  public static final TableName TABLE = new TableName("master", "store");

  /** The region. */
  public static final RegionInfo REGION = new RegionInfo(TABLE, Bytes.EMPTY, Bytes.EMPTY, 1);

  private static final byte[] QUALIFIER = Bytes.utf8("d");

  private final Region region;

  /** Creates a store in an open region of {@link #schema}; closes it when closed. */
  public RegionMasterStore(Region region) {
    this.region = region;
  }

  /** Returns the descriptor of the region's table: HBase's families. */
  public static TableSchema schema() {
    return TableSchema.of(
        TABLE,
        FamilySchema.of("info", Map.of("VERSIONS", "3", "IN_MEMORY", "true", "BLOCKSIZE", "8192")),
        FamilySchema.of("proc"),
        FamilySchema.of("rs"),
        FamilySchema.of("state"));
  }

  @Override
  public void apply(List<Change> changes) throws IOException {
    List<Mutation> mutations = new ArrayList<>(changes.size());
    for (Change change : changes) {
      CellBuffer cells = new CellBuffer();
      byte[] family = family(change.section());
      if (change.value().isPresent()) {
        cells.add(
            change.row(),
            family,
            QUALIFIER,
            Cell.LATEST_TIMESTAMP,
            CellType.PUT.code(),
            change.value().get(),
            Bytes.EMPTY);
        mutations.add(Mutation.put(change.row(), cells));
      } else {
        cells.add(
            change.row(),
            family,
            QUALIFIER,
            Cell.LATEST_TIMESTAMP,
            CellType.DELETE_COLUMN.code(),
            Bytes.EMPTY,
            Bytes.EMPTY);
        mutations.add(Mutation.delete(change.row(), cells));
      }
    }
    region.mutateAtomically(mutations);
  }

  @Override
  public List<Entry> read(Section section) throws IOException {
    ScanRequest request =
        ScanRequest.builder().family(family(section), FamilySelection.of(QUALIFIER)).build();
    List<Entry> entries = new ArrayList<>();
    CellBuffer row = new CellBuffer();
    try (RegionScanner scanner = region.scan(request)) {
      while (scanner.next(row, ScanLimits.NONE) != ScanProgress.END) {
        if (!row.isEmpty()) {
          Cell cell = row.get(0);
          entries.add(new Entry(cell.row(), cell.value()));
        }
        row.clear();
      }
    }
    return entries;
  }

  @Override
  public void close() throws IOException {
    try {
      region.close(false);
    } finally {
      region.close(true); // what could not be flushed, the log has
    }
  }

  private static byte[] family(Section section) {
    return Bytes.utf8(
        switch (section) {
          case PROCEDURE -> "proc";
          case STATE -> "state";
        });
  }
}
