package dev.cairn.server.regionserver;

import dev.cairn.engine.cursor.NotInMemoryException;
import dev.cairn.engine.region.QuickScan;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.rpc.Attempt;
import dev.cairn.server.rpc.RpcCall;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;

/**
 * Answers those calls of {@code Scan} on their network thread that open a scan and read little, all
 * of it in memory, as most short scans do: in one call, which ends the scan, too. If it turns out
 * to be more, a handler goes on where this stopped; if a block is missing, it begins anew. Where
 * that happens again and again, the region's scans go to handlers for a while. Any number of
 * threads.
 */
final class QuickScans {
  /** More are for handlers: copying them takes as long as many short calls do. */
  private static final long BYTES_MAX = 256 * 1024;

  /** After this time a handler goes on; a scan of a hundred rows takes about a third of it. */
  private static final long NANOS_MAX = TimeUnit.MICROSECONDS.toNanos(500);

  /** Who asks for more rows than this does not mean a number, but a range or a whole table. */
  private static final int SHORT_ROWS = 1000;

  private final ScanCalls calls;
  private final OnlineRegions regions;
  private final OpenScanners scanners;
  private final QueryDecoder decoder;
  private final Clock clock;

  QuickScans(
      ScanCalls calls,
      OnlineRegions regions,
      OpenScanners scanners,
      QueryDecoder decoder,
      Clock clock) {
    this.calls = calls;
    this.regions = regions;
    this.scanners = scanners;
    this.decoder = decoder;
    this.clock = clock;
  }

  /** Answers a call, begins to, or leaves it to a handler. */
  Attempt<ScanResponse> attempt(RpcCall call, ScanRequest request) throws IOException {
    Optional<HostedRegion> region =
        mayBeQuick(request) ? regions.findNow(request.getRegion()) : Optional.empty();
    if (region.isEmpty()) {
      return Attempt.declined();
    }
    TryHistory history = region.get().quickScans(ScanCalls.rows(request) > SHORT_ROWS);
    if (!history.isDue()) {
      return Attempt.declined();
    }
    // What is declined before anything is read, or because a file was replaced, says nothing of the
    // scans to come.
    try {
      Attempt<ScanResponse> attempt = open(call, request, region.get());
      if (attempt instanceof Attempt.Answered) {
        history.succeeded();
      } else if (attempt instanceof Attempt.Begun) {
        history.failed();
      }
      return attempt;
    } catch (NotInMemoryException e) {
      history.failed();
      return Attempt.declined();
    }
  }

  /**
   * Tells whether a call opens a scan of which nothing is wanted that may take long: filters, whose
   * cost nobody knows, figures and explanations are for handlers.
   */
  private boolean mayBeQuick(ScanRequest request) throws IOException {
    ClientProtos.Scan scan = request.getScan();
    return !request.hasScannerId()
        && request.hasScan()
        && ScanCalls.rows(request) > 0
        && !scan.hasFilter()
        && scan.getBatchSize() <= 0
        && decoder.explain(scan.getAttributeList()).isEmpty()
        && !scan.getQueryMetricsEnabled()
        && !request.getTrackScanMetrics();
  }

  private Attempt<ScanResponse> open(RpcCall call, ScanRequest request, HostedRegion region)
      throws IOException {
    ClientProtos.Scan asked = request.getScan();
    QueryDecoder.DecodedScan decoded = decoder.scan(asked, region.info(), region.schema());
    Optional<QuickScan> scan = region.reads(0).tryScan(decoded.request());
    if (scan.isEmpty()) {
      return Attempt.declined();
    }
    OpenScanner scanner =
        new OpenScanner(scanners.newId(), region, scan.get(), calls.shape(asked), Optional.empty());
    Attempt<ScanResponse> attempt = Attempt.declined();
    try {
      scanner.enter(Optional.empty());
      attempt = step(call, request, scanner, scan.get());
    } finally {
      if (attempt == Attempt.<ScanResponse>declined()) {
        scanner.close();
      }
    }
    return attempt;
  }

  private Attempt<ScanResponse> step(
      RpcCall call, ScanRequest request, OpenScanner scanner, QuickScan scan) throws IOException {
    long begun = clock.nanoTime();
    ScanResponse.Builder response = calls.opened(scanner);
    ScanStep step = calls.newStep(call, request, scanner);
    int rows = ScanCalls.rows(request);
    boolean filled = step.isFilledQuickly(rows, response, BYTES_MAX, begun + NANOS_MAX);
    boolean needed = !filled || ScanCalls.goesOn(request, response);
    if (needed && !scan.keep()) {
      return Attempt.declined();
    }
    if (!filled) {
      return new Attempt.Begun<>(new Rest(calls, call, request, scanner, step, response, begun));
    }
    calls.conclude(call, request, scanner, response, begun);
    return new Attempt.Answered<>(response.build());
  }

  /** What is left of a call whose response is not full yet. */
  private record Rest(
      ScanCalls calls,
      RpcCall call,
      ScanRequest request,
      OpenScanner scanner,
      ScanStep step,
      ScanResponse.Builder response,
      long begunNanos)
      implements Attempt.Rest<ScanResponse> {
    @Override
    public ScanResponse finish() throws IOException {
      boolean stepped = false;
      try {
        step.run(ScanCalls.rows(request), response);
        calls.conclude(call, request, scanner, response, begunNanos);
        stepped = true;
        return response.build();
      } finally {
        if (!stepped) {
          scanner.close();
        }
      }
    }

    @Override
    public void drop() {
      scanner.close();
    }
  }
}
