package dev.cairn.coprocessor.read;

import dev.cairn.coprocessor.environment.CallerOfThread;
import dev.cairn.coprocessor.facade.OperationHooks.Running;
import dev.cairn.coprocessor.facade.Reader;
import dev.cairn.coprocessor.facade.ScannerFacade;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.server.regionserver.hosted.RegionReads;
import dev.cairn.server.request.GetMessage;
import dev.cairn.server.request.QueryDecoder.DecodedScan;
import dev.cairn.server.request.ScanMessage;
import java.io.IOException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.Region.Operation;
import org.apache.hadoop.hbase.regionserver.RegionScanner;

/**
 * The reads of a region between the hooks of its coprocessors. Threads that must not wait leave
 * them to handlers. Thread-safe.
 *
 * <p>The order is that of HBase's server. A get: {@code preExists} if the client asks only whether
 * the row exists, and not in a batch; {@code preGetOp}; {@code preStoreScannerOpen} for each
 * family; the read; {@code postGetOp}; {@code postExists}. A scan: {@code preScannerOpen}, which
 * may change it; {@code preStoreScannerOpen}; {@code postScannerOpen}, which may return another
 * scanner; {@link ClientScan} calls the others. Reads that no client asks for call {@link
 * Reader#OF_ALL_READS} alone.
 */
public final class HookedReads implements RegionReads {
  private final RegionInfo info;
  private final Reader reader;
  private final ReadHooks hooks;
  private final LateHooks late;

  /**
   * Creates the reads of a region.
   *
   * @param late runs hooks for threads that must not wait
   */
  public HookedReads(RegionInfo info, Reader reader, ReadHooks hooks, LateHooks late) {
    this.info = info;
    this.reader = reader;
    this.hooks = hooks;
    this.late = late;
  }

  @Override
  public RegionRead read(ScanRequest request, ReadBudget budget) throws IOException {
    if (!hooks.all()) {
      return reader.below().read(request, budget);
    }
    return budget.mayWait() ? reader.below().read(hooked(request), budget) : NotHere.INSTANCE;
  }

  @Override
  public ScanProgress row(ScanRequest request, CellBuffer out, ReadBudget budget)
      throws IOException {
    if (!hooks.all()) {
      return reader.below().row(request, out, budget);
    }
    return budget.mayWait()
        ? reader.below().row(hooked(request), out, budget)
        : ScanProgress.WOULD_WAIT;
  }

  private ScanRequest hooked(ScanRequest request) throws IOException {
    return reader.hooked(request, reader.queries().scan(request));
  }

  @Override
  public ScanProgress get(GetMessage get, ScanRequest request, CellBuffer out, ReadBudget budget)
      throws IOException {
    if (!hooks.all() && !isHooked(get)) {
      return reader.below().row(request, out, budget);
    }
    try (RegionRead read = openGet(get, request, budget)) {
      return read.next(out, budget);
    }
  }

  @Override
  public RegionRead openGet(GetMessage get, ScanRequest request, ReadBudget budget)
      throws IOException {
    if (!budget.mayWait() && (hooks.all() || isHooked(get))) {
      return NotHere.INSTANCE;
    }
    if (isHooked(get)) {
      return new HookedGet(reader, hooks, get, request.observer());
    }
    return reader
        .below()
        .read(
            hooks.all()
                ? reader.hooked(
                    request, new Scan(reader.queries().complete(reader.queries().get(get))))
                : request,
            budget);
  }

  /** HBase refuses gets of the row before another, which have no hooks. */
  private boolean isHooked(GetMessage get) {
    return hooks.gets() && !get.closestBefore();
  }

  @Override
  public RegionRead scan(ScanMessage.Opening opening, ScanRequest request, ReadBudget budget)
      throws IOException {
    if (!hooks.scans() && !hooks.all()) {
      return reader.below().read(request, budget);
    }
    if (!budget.mayWait()) {
      return NotHere.INSTANCE;
    }
    if (!hooks.scans()) {
      return reader.below().read(reader.hooked(request, reader.queries().scan(opening)), budget);
    }
    try (CallerOfThread caller = CallerOfThread.enter(hooks.table())) {
      return open(opening, request);
    }
  }

  private ClientScan open(ScanMessage.Opening opening, ScanRequest request) throws IOException {
    Scan scan = reader.queries().scan(opening);
    hooks.host().preScannerOpen(scan);
    reader.queries().complete(scan);
    DecodedScan decoded = reader.queries().request(scan);
    ScanRequest.Builder asked = decoded.request().toBuilder();
    request.observer().ifPresent(asked::observer);
    ScanRequest hooked;
    RegionRead own;
    try (Running step = hooks.operations().begin(Operation.SCAN)) {
      hooked = reader.hooked(asked.build(), scan);
      own = reader.held(hooked);
    }
    ScannerFacade facade = reader.facade(scan, own, decoded.filter());
    boolean opened = false;
    try {
      ClientScan.Opened scanner = new ClientScan.Opened(info, scan, own, decoded.filter(), facade);
      Reader.show(facade, hooked);
      RegionScanner served = hooks.host().postScannerOpen(scan, scanner.facade());
      if (served == null) {
        throw new IOException("A coprocessor of " + info + " returned no scanner");
      }
      opened = true;
      return new ClientScan(scanner, served, hooks, late);
    } finally {
      if (!opened) {
        facade.close();
      }
    }
  }
}
