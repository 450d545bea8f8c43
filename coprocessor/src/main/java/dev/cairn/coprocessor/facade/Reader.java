package dev.cairn.coprocessor.facade;

import dev.cairn.coprocessor.convert.Cells;
import dev.cairn.coprocessor.convert.Queries;
import dev.cairn.coprocessor.convert.Retention;
import dev.cairn.coprocessor.facade.OperationHooks.Running;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.DeleteRules;
import dev.cairn.engine.scan.DroppedRows;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.server.filter.FilterAdapter;
import dev.cairn.server.regionserver.hosted.RegionReads;
import dev.cairn.server.request.QueryDecoder.DecodedScan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.Region.Operation;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.ScanInfo;

/**
 * Reads a region for HBase's gets and scans. Every read asks the hooks which cells of each family
 * it keeps, how delete markers apply, and tells them of rows that it drops. Thread-safe; for
 * threads that may wait.
 */
public final class Reader {
  private static final String STORES = "preStoreScannerOpen";
  private static final String DELETES = "postInstantiateDeleteTracker";
  private static final String DROPPED = "postScannerFilterRow";

  /** The names of the hooks that take part in all reads of clients and coprocessors. */
  public static final Set<String> OF_ALL_READS = Set.of(STORES, DELETES, DROPPED);

  private final RegionReads below;
  private final Queries queries;
  private final RegionFacade region;
  private final RegionCoprocessorHost host;
  private final OperationHooks operations;
  private final boolean asksStores;
  private final KeptScanners kept = new KeptScanners();
  private final boolean tellsDropped;
  private final DeleteRules deletes;

  /**
   * Creates a reader.
   *
   * @param below the region's own reads
   * @param overridden the names of the hooks to call
   */
  public Reader(
      RegionReads below,
      Queries queries,
      RegionFacade region,
      RegionCoprocessorHost host,
      Set<String> overridden) {
    this.below = below;
    this.queries = queries;
    this.region = region;
    this.host = host;
    this.operations = OperationHooks.of(host, overridden);
    this.asksStores = overridden.contains(STORES);
    this.tellsDropped = overridden.contains(DROPPED);
    this.deletes = overridden.contains(DELETES) ? new DeleteHook(host) : DeleteRules.OF_FAMILIES;
  }

  /** Returns how queries are converted. */
  public Queries queries() {
    return queries;
  }

  /** Returns the region's own reads. */
  public RegionReads below() {
    return below;
  }

  private boolean hooksAll() {
    return asksStores || tellsDropped || deletes != DeleteRules.OF_FAMILIES;
  }

  /**
   * Returns a request for the same read with the hooks of all reads: with the cells that they want
   * kept for {@code scan}.
   */
  public ScanRequest hooked(ScanRequest request, Scan scan) throws IOException {
    if (!hooksAll()) {
      return request;
    }
    ScanRequest.Builder changed = request.toBuilder();
    if (asksStores) {
      changed.retention(retention(request, scan));
    }
    DroppedRows dropped =
        tellsDropped
            ? new DroppedRowHook(
                host,
                ScannerFacade.of(
                    region.getRegionInfo(),
                    region.clock(),
                    scan,
                    DroppedRowHook.Hidden.INSTANCE,
                    Optional.empty(),
                    kept))
            : DroppedRows.IGNORED;
    return changed.hooks(new ScanRequest.Hooks(deletes, dropped)).build();
  }

  /** Sets the scanner that hooks are shown when the read of {@code request} drops rows. */
  public static void show(ScannerFacade scanner, ScanRequest request) {
    if (request.hooks().dropped() instanceof DroppedRowHook hook) {
      hook.show(scanner);
    }
  }

  /** Asks the hooks once, because a scan that continues needs the same answer again. */
  private UnaryOperator<FamilySchema> retention(ScanRequest request, Scan scan) throws IOException {
    Map<byte[], FamilySchema> changed = new TreeMap<>(Arrays::compareUnsigned);
    for (FamilySchema family : queries.families()) {
      if (request.families().isEmpty() || request.families().containsKey(family.name())) {
        HStore store = region.getStore(family.name());
        ScanInfo wanted = host.preStoreScannerOpen(store, scan);
        FamilySchema kept = Retention.of(family, store.getScanInfo(), wanted);
        if (kept != family) {
          changed.put(family.name(), kept);
        }
      }
    }
    return changed.isEmpty()
        ? ScanRequest.AS_STORED
        : family -> changed.getOrDefault(family.name(), family);
  }

  /** Returns the engine's request for a get. */
  public ScanRequest request(Get get) throws IOException {
    ScanRequest request = queries.request(get);
    return hooksAll() ? hooked(request, new Scan(get)) : request;
  }

  /** Reads one row. */
  public List<Cell> cells(Get get) throws IOException {
    CellBuffer cells = new CellBuffer();
    ScanRequest request;
    try (Running opening = operations.begin(Operation.SCAN)) { // a get is a scan of one row
      request = request(get);
    }
    try (Running row = operations.begin(Operation.SCAN)) {
      below.row(request, cells, ReadBudget.WHOLE_ROWS);
    }
    return new ArrayList<>(Cells.views(cells));
  }

  /** Reads one row between the hooks of gets. */
  public List<Cell> cellsBetweenHooks(Get get) throws IOException {
    List<Cell> cells = new ArrayList<>();
    if (host.preGet(get, cells)) {
      return cells;
    }
    cells.addAll(cells(get));
    host.postGet(get, cells);
    return cells;
  }

  /** Opens a scan as hooks do it: without the hooks of clients' scans. The caller closes it. */
  ScannerFacade scanner(Scan scan) throws IOException {
    queries.complete(scan);
    DecodedScan decoded = queries.request(scan);
    try (Running opening = operations.begin(Operation.SCAN)) {
      ScanRequest request = hooked(decoded.request(), scan);
      ScannerFacade scanner = facade(scan, held(request), decoded.filter());
      show(scanner, request);
      return scanner;
    }
  }

  /**
   * Returns a read as hooks see it. It closes the read when it is closed. The close of the region
   * ends all reads.
   *
   * @param filter the filter in the read
   */
  public ScannerFacade facade(Scan scan, RegionRead read, Optional<FilterAdapter> filter) {
    return ScannerFacade.of(region.getRegionInfo(), region.clock(), scan, read, filter, kept);
  }

  /** Returns how many scanners hooks keep after the end of the client's scan. */
  public int keptScanners() {
    return kept.count();
  }

  /** Opens a read that may stay idle; the caller closes it. */
  public RegionRead held(ScanRequest request) throws IOException {
    RegionRead read = below.read(request, new ReadBudget(-1, Long.MAX_VALUE, Long.MAX_VALUE, true));
    boolean held = false;
    try {
      held = read.hold();
      if (!held) {
        throw new IOException("a scan of " + region + " cannot be held");
      }
      return read;
    } finally {
      if (!held) {
        read.close();
      }
    }
  }
}
