package dev.cairn.server.regionserver;

import dev.cairn.engine.scan.RegionScanner;
import dev.cairn.engine.scan.ScanStatistics;
import dev.cairn.server.explain.ExplainOptions;
import dev.cairn.server.explain.ExplainedScan;
import dev.cairn.server.rpc.RpcCall;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.UnknownScannerException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;

/**
 * Answers {@code Scan}, which opens, goes on, renews and closes, often several of these in one
 * call. What fills a response is {@link ScanStep}. Any number of threads.
 *
 * <p>A scanner ends by itself as soon as its region has no more rows for it, or the client's limit
 * is reached; a client that closes it or goes on nevertheless, as those from before 2.0 do, hears
 * no complaint. When something fails in the middle of a scan, the client cannot go on where it was,
 * since its call was counted: it is told that the scanner is unknown, and opens another one behind
 * the last row that it has.
 */
// Clients before 2.0 ask for small scans, which the protocol no longer wants.
@SuppressWarnings("deprecation")
final class ScanCalls {
  private final OnlineRegions regions;
  private final OpenScanners scanners;
  private final QueryDecoder decoder;
  private final CallTimes times;
  private final CallLimits limits;

  ScanCalls(
      OnlineRegions regions,
      OpenScanners scanners,
      QueryDecoder decoder,
      CallTimes times,
      CallLimits limits) {
    this.regions = regions;
    this.scanners = scanners;
    this.decoder = decoder;
    this.times = times;
    this.limits = limits;
  }

  /** Answers one call. */
  ScanResponse scan(RpcCall call, ScanRequest request) throws IOException {
    if (request.getNumberOfRows() < 0) {
      throw new DoNotRetryIOException(
          "number_of_rows must not be negative, as " + request.getNumberOfRows() + " is");
    }
    if (!request.hasScannerId()) {
      if (!request.hasScan()) {
        throw new DoNotRetryIOException("Missing required input: scannerId or scan");
      }
      return open(call, request);
    }
    if (request.getCloseScanner() && request.getNumberOfRows() == 0) {
      scanners.finishIfIdle(request.getScannerId());
      return response(request.getScannerId()).setMoreResults(false).build();
    }
    if (scanners.isFinished(request.getScannerId())) {
      return response(request.getScannerId()).build();
    }
    return goOn(call, request);
  }

  private ScanResponse open(RpcCall call, ScanRequest request) throws IOException {
    HostedRegion region = regions.find(request.getRegion());
    ClientProtos.Scan scan = request.getScan();
    QueryDecoder.DecodedScan decoded = decoder.scan(scan, region.info(), region.schema());
    Optional<ExplainOptions> explain = decoder.explain(scan.getAttributeList());
    OpenScanner scanner =
        new OpenScanner(
            scanners.newId(),
            region,
            explain.isPresent()
                ? explained(region, decoded.request(), explain.get())
                : region.reads(0).scan(tracked(request, decoded.request())),
            shape(scan),
            explain.isPresent() ? Optional.empty() : decoded.filter());
    boolean stepped = false;
    try {
      scanner.enter(Optional.empty());
      ScanResponse.Builder response = opened(scanner);
      step(call, request, scanner, response);
      stepped = true;
      return response.build();
    } finally {
      if (!stepped) {
        scanner.close();
      }
    }
  }

  /** Returns what a request says of a scan that is not the engine's to know. */
  OpenScanner.ScanShape shape(ClientProtos.Scan scan) {
    return new OpenScanner.ScanShape(
        scan.getBatchSize() > 0 ? scan.getBatchSize() : -1,
        scan.getMaxResultSize() > 0
            ? Math.min(scan.getMaxResultSize(), limits.maxResultBytes())
            : limits.maxResultBytes(),
        scan.getSmall(),
        scan.getNeedCursorResult());
  }

  /** Begins the response to a call that opens a scan. */
  ScanResponse.Builder opened(OpenScanner scanner) {
    return response(scanner.id())
        .setStale(scanner.region().isReplica())
        .setMvccReadPoint(scanner.scanner().readPoint());
  }

  private ScanResponse goOn(RpcCall call, ScanRequest request) throws IOException {
    OpenScanner scanner =
        scanners.enter(
            request.getScannerId(),
            request.hasNextCallSeq() ? Optional.of(request.getNextCallSeq()) : Optional.empty());
    boolean stepped = false;
    try {
      if (regions.get(scanner.region().encodedName()).orElse(null) != scanner.region()) {
        throw new NotServingRegionException(
            "Region "
                + scanner.region()
                + " was closed while scanner "
                + scanner.id()
                + " was open");
      }
      ScanResponse.Builder response = response(scanner.id()).setStale(scanner.region().isReplica());
      if (request.getRenew()) {
        stepped = true;
        scanners.keep(scanner);
        return response.setMoreResults(true).setMoreResultsInRegion(true).build();
      }
      step(call, request, scanner, response);
      stepped = true;
      return response.build();
    } catch (DoNotRetryIOException | NotServingRegionException e) {
      throw e;
    } catch (IOException e) {
      IOException told = EngineErrors.forClient(e);
      if (told instanceof DoNotRetryIOException || told instanceof NotServingRegionException) {
        throw told;
      }
      throw new UnknownScannerException(
          "Scanner " + scanner.id() + " was closed because of an error: " + told.getMessage(), e);
    } finally {
      if (!stepped) {
        scanners.end(scanner);
      }
    }
  }

  /** Fills the response, and keeps the scanner for another call or finishes it. */
  private void step(
      RpcCall call, ScanRequest request, OpenScanner scanner, ScanResponse.Builder response)
      throws IOException {
    long begun = times.clock().nanoTime();
    int rows = rows(request);
    if (rows > 0) {
      newStep(call, request, scanner).run(rows, response);
    } else {
      response.setMoreResults(true).setMoreResultsInRegion(true);
    }
    conclude(call, request, scanner, response, begun);
  }

  /** Returns what fills one response. */
  ScanStep newStep(RpcCall call, ScanRequest request, OpenScanner scanner) {
    return new ScanStep(times, scanners.leaseMillis(), call, request, scanner);
  }

  /** Counts what was read for a response that is full, and keeps or finishes the scanner. */
  void conclude(
      RpcCall call,
      ScanRequest request,
      OpenScanner scanner,
      ScanResponse.Builder response,
      long begunNanos) {
    ScanStatistics looked = scanner.newStatistics();
    scanner.region().reads((int) Math.min(Integer.MAX_VALUE, looked.rowsScanned()));
    if (request.getTrackScanMetrics()) {
      response.setScanMetrics(
          ScanMetricsWriter.write(
              looked, begunNanos - call.receivedNanos(), times.clock().nanoTime() - begunNanos));
    }
    if (goesOn(request, response)) {
      scanners.keep(scanner);
    } else {
      scanners.finish(scanner);
    }
  }

  /** Tells whether the client is going to ask for more. */
  static boolean goesOn(ScanRequest request, ScanResponse.Builder response) {
    return response.getMoreResults()
        && response.getMoreResultsInRegion()
        && !request.getCloseScanner();
  }

  /** Returns how many rows a call asks for. */
  static int rows(ScanRequest request) {
    return request.hasNumberOfRows()
        ? request.getNumberOfRows()
        : request.getCloseScanner() ? 0 : 1;
  }

  private static dev.cairn.engine.scan.ScanRequest tracked(
      ScanRequest asked, dev.cairn.engine.scan.ScanRequest request) {
    boolean tracked = asked.getTrackScanMetrics() || asked.getScan().getQueryMetricsEnabled();
    return tracked ? request.toBuilder().tracked(true).build() : request;
  }

  private static RegionScanner explained(
      HostedRegion region, dev.cairn.engine.scan.ScanRequest request, ExplainOptions options)
      throws IOException {
    return new ExplainedScan(
        region.info(), region.reads(0).explain(request, options.rows(), options.cells()));
  }

  private ScanResponse.Builder response(long scannerId) {
    // Some clients check that every response repeats the id.
    return ScanResponse.newBuilder()
        .setScannerId(scannerId)
        .setTtl((int) scanners.leaseMillis())
        .setStale(false);
  }
}
