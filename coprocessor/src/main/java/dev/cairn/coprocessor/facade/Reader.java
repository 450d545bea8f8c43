package dev.cairn.coprocessor.facade;

import dev.cairn.coprocessor.convert.Cells;
import dev.cairn.coprocessor.convert.Queries;
import dev.cairn.coprocessor.convert.Retention;
import dev.cairn.engine.cell.CellBuffer;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.ScanInfo;

/**
 * Reads a region for HBase's gets and scans. Every read asks the hooks which cells of each family
 * it keeps. Thread-safe; for threads that may wait.
 */
public final class Reader {
  private final RegionReads below;
  private final Queries queries;
  private final RegionFacade region;
  private final RegionCoprocessorHost host;
  private final boolean asksStores;
  private final Set<ScannerFacade> open = ConcurrentHashMap.newKeySet();

  /**
   * Creates a reader.
   *
   * @param below the region's own reads
   * @param asksStores whether {@code preStoreScannerOpen} is to be called
   */
  public Reader(
      RegionReads below,
      Queries queries,
      RegionFacade region,
      RegionCoprocessorHost host,
      boolean asksStores) {
    this.below = below;
    this.queries = queries;
    this.region = region;
    this.host = host;
    this.asksStores = asksStores;
  }

  /** Returns how queries are converted. */
  public Queries queries() {
    return queries;
  }

  /** Returns the region's own reads. */
  public RegionReads below() {
    return below;
  }

  /** Tells whether reads ask hooks which cells they keep. */
  public boolean asksStores() {
    return asksStores;
  }

  /** Returns a request that keeps the cells that hooks want for {@code scan}. */
  public ScanRequest retaining(ScanRequest request, Scan scan) throws IOException {
    if (!asksStores) {
      return request;
    }
    UnaryOperator<FamilySchema> retention = retention(request, scan);
    return retention == ScanRequest.AS_STORED
        ? request
        : request.toBuilder().retention(retention).build();
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
    return asksStores ? retaining(request, new Scan(get)) : request;
  }

  /** Reads one row. */
  public List<Cell> cells(Get get) throws IOException {
    CellBuffer cells = new CellBuffer();
    below.row(request(get), cells, ReadBudget.WHOLE_ROWS);
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
    ScanRequest request = retaining(decoded.request(), scan);
    return facade(scan, held(request), decoded.filter());
  }

  /**
   * Returns a read as hooks see it. It closes the read when it is closed, or else when the region
   * is.
   *
   * @param filter the filter in the read
   */
  public ScannerFacade facade(Scan scan, RegionRead read, Optional<FilterAdapter> filter) {
    ScannerFacade scanner =
        ScannerFacade.of(region.getRegionInfo(), scan, read, filter, open::remove);
    open.add(scanner);
    return scanner;
  }

  /** Closes the scanners that hooks have left open. */
  public void close() {
    open.forEach(ScannerFacade::close);
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
