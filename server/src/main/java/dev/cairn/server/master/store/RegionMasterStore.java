package dev.cairn.server.master.store;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FencingToken;
import dev.cairn.engine.storage.ScratchDirectory;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.tracking.StoreFileTracking;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The master's store in a region of the engine: {@code MasterData/data/master/store} under the root
 * directory, with a log of its own in {@code MasterData/WALs}, as HBase has it.
 *
 * <pre>
 *   family proc    row: id, 8 bytes              proc:d      a procedure of HBase's master, or empty
 *   family rs      row: host,port,startcode      rs:state    ONLINE
 *   family info    row: hbase:meta,,1            info:…      what other regions have in hbase:meta
 *   family state   row: a name                   state:d     a switch
 *                  row: cairn/procedure/, id     state:d     a procedure of this server's master
 * </pre>
 *
 * Observed in what HBase 2.6.4 writes. It passes over the rows of this server's procedures: it
 * could not go on with them.
 */
public final class RegionMasterStore implements MasterStore {
  /** The directory, under the root directory, that holds the region and its log. */
  public static final String DIRECTORY = "MasterData";

  /** The directory, under the root directory, that holds the region's table. */
  public static final String DATA = Storage.join(DIRECTORY, "data");

  /** The table that the region is of. */
  public static final TableName TABLE = new TableName("master", "store");

  /** The region. */
  public static final RegionInfo REGION = new RegionInfo(TABLE, Bytes.EMPTY, Bytes.EMPTY, 1);

  /**
   * The position of a section's entries; each row begins with the prefix, which entries do not
   * contain.
   */
  private record Place(byte[] family, byte[] prefix, byte[] qualifier) {
    Place(String family, String prefix, String qualifier) {
      this(Bytes.utf8(family), Bytes.utf8(prefix), Bytes.utf8(qualifier));
    }

    byte[] row(byte[] name) {
      return Bytes.concat(prefix, name);
    }

    /** Returns the first row after all that begin with the prefix. */
    byte[] stopRow() {
      if (prefix.length == 0) {
        return Bytes.EMPTY;
      }
      byte[] stop = prefix.clone();
      stop[stop.length - 1]++; // The prefixes end in a slash.
      return stop;
    }
  }

  private static final byte[] META_FAMILY = Bytes.utf8("info");

  private static final Map<Section, Place> PLACES =
      Map.of(
          Section.PROCEDURE, new Place("state", "cairn/procedure/", "d"),
          Section.STATE, new Place("state", "", "d"),
          Section.SERVER, new Place("rs", "", "state"),
          Section.FOREIGN_PROCEDURE, new Place("proc", "", "d"));

  private final Region region;

  /** Creates a store in an open region of {@link #schema}; closes it when closed. */
  public RegionMasterStore(Region region) {
    this.region = region;
  }

  /**
   * Returns the highest epoch of an owner of the region's directory; -1 if it has none.
   *
   * @param storage the root directory
   */
  public static long latestEpoch(Storage storage) throws IOException {
    String scratch = RegionDirectory.of(DATA, REGION).temporary();
    return ScratchDirectory.latestOwner(storage, scratch).map(FencingToken::epoch).orElse(-1L);
  }

  /** Returns the descriptor of the region's table, with the families and attributes of HBase's. */
  public static TableSchema schema() {
    TableSchema schema =
        TableSchema.of(
            TABLE,
            FamilySchema.of(
                "info",
                Map.of(
                    "VERSIONS", "3",
                    "IN_MEMORY", "true",
                    "BLOCKSIZE", "8192",
                    "BLOOMFILTER", "ROWCOL",
                    "DATA_BLOCK_ENCODING", "ROW_INDEX_V1")),
            FamilySchema.of("proc"),
            FamilySchema.of("rs"),
            FamilySchema.of("state"));
    return schema.withDefault(StoreFileTracking.KEY, StoreFileTracking.Kind.DEFAULT.name());
  }

  @Override
  public void apply(List<Change> changes) throws IOException {
    List<Mutation> mutations = new ArrayList<>(changes.size());
    for (Change change : changes) {
      CellBuffer cells = new CellBuffer();
      Place place =
          change.section() == Section.META
              ? new Place(META_FAMILY, Bytes.EMPTY, change.row())
              : PLACES.get(change.section());
      byte[] row =
          change.section() == Section.META ? RegionInfo.META.regionName() : place.row(change.row());
      boolean put = change.value().isPresent();
      cells.add(
          row,
          place.family(),
          place.qualifier(),
          Cell.LATEST_TIMESTAMP,
          (put ? CellType.PUT : CellType.DELETE_COLUMN).code(),
          change.value().orElse(Bytes.EMPTY),
          Bytes.EMPTY);
      mutations.add(put ? Mutation.put(row, cells) : Mutation.delete(row, cells));
    }
    region.write(new WriteRequest.Atomic(mutations), WriteBudget.UNLIMITED).outcome().cells();
  }

  @Override
  public List<Entry> read(Section section) throws IOException {
    if (section == Section.META) {
      return readMeta();
    }
    Place place = PLACES.get(section);
    ScanRequest request =
        ScanRequest.builder()
            .start(place.prefix(), true)
            .stop(place.stopRow(), false)
            .family(place.family(), FamilySelection.of(place.qualifier()))
            .build();
    List<Entry> entries = new ArrayList<>();
    CellBuffer row = new CellBuffer();
    try (RegionRead read = region.read(request, ReadBudget.WHOLE_ROWS)) {
      while (read.next(row, ReadBudget.WHOLE_ROWS) != ScanProgress.END) {
        if (!row.isEmpty()) {
          Cell cell = row.get(0);
          byte[] name = cell.row();
          if (section != Section.STATE || !isProcedure(name)) {
            entries.add(
                new Entry(
                    Arrays.copyOfRange(name, place.prefix().length, name.length), cell.value()));
          }
        }
        row.clear();
      }
    }
    return entries;
  }

  @Override
  public void flush() throws IOException {
    region.flush();
  }

  private List<Entry> readMeta() throws IOException {
    ScanRequest request =
        ScanRequest.row(RegionInfo.META.regionName())
            .family(META_FAMILY, FamilySelection.ALL)
            .build();
    CellBuffer row = new CellBuffer();
    try (RegionRead read = region.read(request, ReadBudget.WHOLE_ROWS)) {
      read.next(row, ReadBudget.WHOLE_ROWS);
    }
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      Cell cell = row.get(i);
      entries.add(new Entry(cell.qualifier(), cell.value()));
    }
    return entries;
  }

  private static boolean isProcedure(byte[] row) {
    byte[] prefix = PLACES.get(Section.PROCEDURE).prefix();
    return row.length >= prefix.length
        && Arrays.equals(row, 0, prefix.length, prefix, 0, prefix.length);
  }

  @Override
  public void close() throws IOException {
    try {
      region.close(false);
    } finally {
      region.close(true); // the log has the unflushed cells
    }
  }
}
