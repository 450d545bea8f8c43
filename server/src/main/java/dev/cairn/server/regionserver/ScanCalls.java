package dev.cairn.server.regionserver;

import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.scan.RegionScanner;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.ScanStatistics;
import dev.cairn.server.explain.ExplainOptions;
import dev.cairn.server.explain.ExplainedScan;
import dev.cairn.server.request.QueryDecoder;
import dev.cairn.server.request.ScanMessage;
import dev.cairn.server.rpc.RpcCall;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.UnknownScannerException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;

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
  ScanAnswer scan(RpcCall call, ScanMessage message) throws IOException {
    if (message.rows() < 0) {
      throw new DoNotRetryIOException(
          "number_of_rows must not be negative, as " + message.rows() + " is");
    }
    if (message.subject() instanceof ScanMessage.Opening opening) {
      return open(call, message, opening);
    }
    if (!(message.subject() instanceof ScanMessage.Known known)) {
      throw new DoNotRetryIOException("Missing required input: scannerId or scan");
    }
    long id = known.scannerId();
    if (message.closes() && message.rows() == 0) {
      scanners.finishIfIdle(id);
      ScanAnswer closed = response(id, false, OptionalLong.empty());
      closed.noMore();
      return closed;
    }
    return scanners.isFinished(id)
        ? response(id, false, OptionalLong.empty())
        : goOn(call, message, id);
  }

  private ScanAnswer open(RpcCall call, ScanMessage message, ScanMessage.Opening opening)
      throws IOException {
    HostedRegion region = regions.find(opening.region());
    QueryDecoder.DecodedScan decoded = decoder.scan(opening, region.info(), region.schema());
    Optional<ExplainOptions> explain = decoder.explain(opening);
    if (message.rows() > 0) {
      // Wait before the scan opens: an open scan holds its memstore.
      call.memory().prepare(region.rowSize().expected());
    }
    OpenScanner scanner =
        new OpenScanner(
            scanners.newId(),
            region,
            explain.isPresent()
                ? explained(region, decoded.request(), explain.get())
                : region.reads(0).scan(tracked(message, decoded.request())),
            shape(opening),
            explain.isPresent() ? Optional.empty() : decoded.filter());
    boolean stepped = false;
    try {
      scanner.enter(OptionalLong.empty());
      ScanAnswer response = opened(scanner);
      step(call, message, scanner, response);
      stepped = true;
      return response;
    } finally {
      if (!stepped) {
        scanner.close();
      }
    }
  }

  /** Returns what a request says of a scan that is not the engine's to know. */
  OpenScanner.ScanShape shape(ScanMessage.Opening opening) {
    if (opening instanceof ScanMessage.Plain plain) {
      return new OpenScanner.ScanShape(
          -1, resultBytes(plain.maxResultSize()), plain.small(), plain.wantsCursor());
    }
    ClientProtos.Scan scan = ((ScanMessage.Any) opening).scan();
    return new OpenScanner.ScanShape(
        scan.getBatchSize() > 0 ? scan.getBatchSize() : -1,
        resultBytes(scan.getMaxResultSize()),
        scan.getSmall(),
        scan.getNeedCursorResult());
  }

  private long resultBytes(long asked) {
    return asked > 0 ? Math.min(asked, limits.maxResultBytes()) : limits.maxResultBytes();
  }

  /** Begins the response to a call that opens a scan. */
  ScanAnswer opened(OpenScanner scanner) {
    return response(
        scanner.id(), scanner.region().isReplica(), OptionalLong.of(scanner.scanner().readPoint()));
  }

  private ScanAnswer goOn(RpcCall call, ScanMessage message, long id) throws IOException {
    OpenScanner scanner = scanners.enter(id, message.sequence());
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
      ScanAnswer response =
          response(scanner.id(), scanner.region().isReplica(), OptionalLong.empty());
      if (message.renews()) {
        stepped = true;
        scanners.keep(scanner);
        response.more(true, true);
        return response;
      }
      step(call, message, scanner, response);
      stepped = true;
      return response;
    } catch (DoNotRetryIOException | NotServingRegionException e) {
      throw e;
    } catch (IOException | MemoryShortageException e) {
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
  private void step(RpcCall call, ScanMessage message, OpenScanner scanner, ScanAnswer response)
      throws IOException {
    long begun = times.clock().nanoTime();
    if (message.rows() > 0) {
      newStep(call, message, scanner).run(response);
    } else {
      response.more(true, true);
    }
    conclude(call, message, scanner, response, begun);
  }

  /** Returns what fills one response. */
  ScanStep newStep(RpcCall call, ScanMessage message, OpenScanner scanner) {
    return new ScanStep(times, scanners.leaseMillis(), limits, call, message, scanner);
  }

  /** Counts what was read for a response that is full, and keeps or finishes the scanner. */
  void conclude(
      RpcCall call, ScanMessage message, OpenScanner scanner, ScanAnswer response, long begunNanos)
      throws RegionTooBusyException {
    ScanStatistics looked = scanner.newStatistics();
    scanner.region().reads((int) Math.min(Integer.MAX_VALUE, looked.rowsScanned()));
    if (message.tracked()) {
      response.figures(
          ScanMetricsWriter.write(
              looked, begunNanos - call.receivedNanos(), times.clock().nanoTime() - begunNanos));
    }
    if (goesOn(message, response)) {
      scanners.keep(scanner);
    } else {
      scanners.finish(scanner);
    }
  }

  /** Tells whether the client is going to ask for more. */
  static boolean goesOn(ScanMessage message, ScanAnswer response) {
    return response.hasMore() && !message.closes();
  }

  private static ScanRequest tracked(ScanMessage message, ScanRequest request) {
    return message.tracked() || message.trackedByResult()
        ? request.toBuilder().tracked(true).build()
        : request;
  }

  private static RegionScanner explained(
      HostedRegion region, ScanRequest request, ExplainOptions options) throws IOException {
    return new ExplainedScan(
        region.info(), region.reads(0).explain(request, options.rows(), options.cells()));
  }

  private ScanAnswer response(long scannerId, boolean stale, OptionalLong readPoint) {
    // Some clients check that every response repeats the id.
    return new ScanAnswer(scannerId, scanners.leaseMillis(), stale, readPoint);
  }
}
