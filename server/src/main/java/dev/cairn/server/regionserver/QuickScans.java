package dev.cairn.server.regionserver;

import dev.cairn.engine.cursor.NotInMemoryException;
import dev.cairn.engine.region.QuickScan;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.request.QueryDecoder;
import dev.cairn.server.request.ScanMessage;
import dev.cairn.server.rpc.Attempt;
import dev.cairn.server.rpc.RpcCall;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

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

  /**
   * After this time a handler goes on. It is the clock's, which runs on while the thread has to
   * wait for a processor; a scan of a hundred rows takes about a tenth of it.
   */
  private static final long NANOS_MAX = TimeUnit.MICROSECONDS.toNanos(1000);

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
  Attempt<ScanAnswer> attempt(RpcCall call, ScanMessage message) throws IOException {
    if (!(message.subject() instanceof ScanMessage.Opening opening)
        || !mayBeQuick(message, opening)) {
      return Attempt.declined();
    }
    Optional<HostedRegion> region = find(opening);
    if (region.isEmpty()) {
      return Attempt.declined();
    }
    TryHistory history = region.get().quickScans(message.rows() > SHORT_ROWS);
    if (!history.isDue()) {
      return Attempt.declined();
    }
    // What is declined before anything is read, or because a file was replaced, says nothing of the
    // scans to come.
    try {
      Attempt<ScanAnswer> attempt = open(call, message, opening, region.get());
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
  private boolean mayBeQuick(ScanMessage message, ScanMessage.Opening opening) throws IOException {
    return message.rows() > 0
        && !message.tracked()
        && !message.trackedByResult()
        && (!(opening instanceof ScanMessage.Any any)
            || !any.scan().hasFilter()
                && any.scan().getBatchSize() <= 0
                && decoder.explain(any).isEmpty());
  }

  private Optional<HostedRegion> find(ScanMessage.Opening opening) {
    return opening instanceof ScanMessage.Plain plain
        ? regions.findNow(plain.regionName())
        : regions.findNow(opening.region());
  }

  private Attempt<ScanAnswer> open(
      RpcCall call, ScanMessage message, ScanMessage.Opening opening, HostedRegion region)
      throws IOException {
    QueryDecoder.DecodedScan decoded = decoder.scan(opening, region.info(), region.schema());
    Optional<QuickScan> scan = region.reads(0).tryScan(decoded.request());
    if (scan.isEmpty()) {
      return Attempt.declined();
    }
    OpenScanner scanner =
        new OpenScanner(
            scanners.newId(), region, scan.get(), calls.shape(opening), Optional.empty());
    Attempt<ScanAnswer> attempt = Attempt.declined();
    try {
      scanner.enter(OptionalLong.empty());
      attempt = step(call, message, scanner, scan.get());
    } finally {
      if (attempt == Attempt.<ScanAnswer>declined()) {
        scanner.close();
      }
    }
    return attempt;
  }

  private Attempt<ScanAnswer> step(
      RpcCall call, ScanMessage message, OpenScanner scanner, QuickScan scan) throws IOException {
    long begun = clock.nanoTime();
    ScanAnswer response = calls.opened(scanner);
    ScanStep step = calls.newStep(call, message, scanner);
    boolean filled = step.isFilledQuickly(response, BYTES_MAX, begun + NANOS_MAX);
    boolean goesOn = filled && ScanCalls.goesOn(message, response);
    if (goesOn) {
      // Before it is kept: to end a kept scan may mean to close and archive files.
      scanners.admit(scanner);
    }
    if ((goesOn || !filled) && !scan.keep()) {
      return Attempt.declined();
    }
    if (!filled) {
      return new Attempt.Begun<>(new Rest(calls, call, message, scanner, step, response, begun));
    }
    calls.conclude(call, message, scanner, response, begun);
    return new Attempt.Answered<>(response);
  }

  /** What is left of a call whose response is not full yet. */
  private record Rest(
      ScanCalls calls,
      RpcCall call,
      ScanMessage message,
      OpenScanner scanner,
      ScanStep step,
      ScanAnswer response,
      long begunNanos)
      implements Attempt.Rest<ScanAnswer> {
    @Override
    public ScanAnswer finish() throws IOException {
      boolean stepped = false;
      try {
        step.run(response);
        calls.conclude(call, message, scanner, response, begunNanos);
        stepped = true;
        return response;
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
