package dev.cairn.server.regionserver.client;

import dev.cairn.engine.explain.Explanation;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.RegionRead.ReadStoppedException;
import dev.cairn.engine.scan.ScanObserver;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.ScanStatistics;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.digest.DigestOptions;
import dev.cairn.server.digest.DigestedScan;
import dev.cairn.server.explain.ExplainOptions;
import dev.cairn.server.explain.ExplainedScan;
import dev.cairn.server.loadsplit.LoadSampler;
import dev.cairn.server.regionserver.hosted.EngineErrors;
import dev.cairn.server.regionserver.hosted.HookedScan;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.Operation;
import dev.cairn.server.regionserver.hosted.RegionReads;
import dev.cairn.server.regionserver.hosted.TableTimes;
import dev.cairn.server.request.QueryDecoder;
import dev.cairn.server.request.ScanMessage;
import dev.cairn.server.rpc.service.CallBudget;
import dev.cairn.server.rpc.service.CallOutcome;
import dev.cairn.server.rpc.service.RpcCall;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.UnknownScannerException;

/**
 * Answers {@code Scan}, which opens, continues, renews and closes scanners, often several of these
 * in one call. {@link ScanStep} fills a response. Any number of threads.
 *
 * <p>A scanner ends by itself when its region has no more rows for it, or at the client's limit. A
 * client may still close or continue it, as clients before 2.0 do. If a call of a scan fails, the
 * client cannot repeat it, because the server has counted it. The server answers that the scanner
 * is unknown or that the call is out of order, also after the scanner's end, and the client opens
 * another one after the last row that it has.
 *
 * <p>The network thread answers calls that open a scan and read few cells, all in memory. Most
 * short scans also end in this call. If the scan is longer, a handler continues where the network
 * thread stopped. If a block is not in memory, the handler begins anew. If that happens repeatedly
 * in a region, its scans go to handlers for a while.
 */
public final class ScanCalls {
  /** Larger counts of rows mean "no limit": the client reads a range or a whole table. */
  private static final int SHORT_ROWS = 1000;

  /** A scan may take several calls, and each may end within a row. */
  private static final ReadBudget SCAN = new ReadBudget(-1, Long.MAX_VALUE, Long.MAX_VALUE, true);

  private final OnlineRegions regions;
  private final OpenScanners scanners;
  private final QueryDecoder decoder;
  private final CallTimes times;
  private final Supplier<CallLimits> limits;

  ScanCalls(
      OnlineRegions regions,
      OpenScanners scanners,
      QueryDecoder decoder,
      CallTimes times,
      Supplier<CallLimits> limits) {
    this.regions = regions;
    this.scanners = scanners;
    this.decoder = decoder;
    this.times = times;
    this.limits = limits;
  }

  /** Returns a hash of the region and the scan's length class, for the back-off. */
  static int kind(ScanMessage message) {
    int region =
        message.subject() instanceof ScanMessage.Opening opening
            ? opening.regionName().hashCode()
            : 0;
    return 2 * region + (message.rows() > SHORT_ROWS ? 1 : 0);
  }

  /** Answers one call. On a network thread, may do a part of it and leave the rest to a handler. */
  CallOutcome<ScanAnswer> scan(RpcCall call, ScanMessage message) throws IOException {
    CallBudget budget = call.budget();
    if (budget.mayWait()) {
      return answer(call, message);
    }
    if (!(message.subject() instanceof ScanMessage.Opening opening) || !isShort(message, opening)) {
      return CallOutcome.declined();
    }
    Optional<HostedRegion> region = regions.find(opening, call);
    if (region.isEmpty()) {
      return CallOutcome.declined();
    }
    ReadBudget turn =
        new ReadBudget(
            message.rows(),
            -1,
            budget.maxBytes(),
            call.receivedNanos() + budget.maxNanos(),
            true,
            ReadBudget.Waiting.NEVER);
    return open(call, message, opening, region.get(), turn).advance(turn);
  }

  private CallOutcome<ScanAnswer> answer(RpcCall call, ScanMessage message) throws IOException {
    if (message.rows() < 0) {
      throw new DoNotRetryIOException(
          "number_of_rows must not be negative, as " + message.rows() + " is");
    }
    if (message.subject() instanceof ScanMessage.Opening opening) {
      HostedRegion region = regions.find(opening, call.deadlineNanos());
      if (message.rows() > 0) {
        // Wait before the scan opens: an open scan holds its memstore.
        call.memory().prepare(region.rowSize().expected());
      }
      return open(call, message, opening, region, opening(call)).advance(SCAN);
    }
    if (!(message.subject() instanceof ScanMessage.Known known)) {
      throw new DoNotRetryIOException("Missing required input: scannerId or scan");
    }
    long id = known.scannerId();
    if (message.closes() && message.rows() == 0) {
      scanners.finishIfIdle(id);
      ScanAnswer closed = response(id, false, OptionalLong.empty());
      closed.noMore();
      return new CallOutcome.Answered<>(closed);
    }
    return scanners.isFinished(id, message.sequence())
        ? new CallOutcome.Answered<>(response(id, false, OptionalLong.empty()))
        : goOn(call, message, id);
  }

  /** Returns the budget in which a scan begins, for instance searches an index. */
  private ReadBudget opening(RpcCall call) {
    long deadline =
        times.clock().nanoTime() + ScanStep.timeNanos(times, scanners.leaseMillis(), call);
    return new ReadBudget(SCAN.maxCells(), SCAN.maxBytes(), deadline, SCAN.midRow());
  }

  /**
   * Tells whether a call opens a scan without options that may take long. Handlers answer scans
   * with metrics, batches, explanations or digests.
   */
  private boolean isShort(ScanMessage message, ScanMessage.Opening opening) throws IOException {
    return message.rows() > 0
        && !message.tracked()
        && !message.trackedByResult()
        && opening.batch() <= 0
        && decoder.explain(opening).isEmpty()
        && decoder.digest(opening).isEmpty();
  }

  /** Tells whether a scan covers all rows of a region. */
  private static boolean isFull(ScanRequest request, RegionInfo region) {
    byte[] first = request.reversed() ? request.stopRow() : request.startRow();
    byte[] end = request.reversed() ? request.startRow() : request.stopRow();
    return Arrays.compareUnsigned(first, region.startKey()) <= 0
        && (end.length == 0
            || region.endKey().length > 0 && Arrays.compareUnsigned(end, region.endKey()) >= 0);
  }

  private Work open(
      RpcCall call,
      ScanMessage message,
      ScanMessage.Opening opening,
      HostedRegion region,
      ReadBudget budget)
      throws IOException {
    QueryDecoder.DecodedScan decoded = decoder.scan(opening, region.info(), region.schema());
    Optional<ExplainOptions> explain = decoder.explain(opening);
    Optional<DigestOptions> digest =
        explain.isPresent() ? Optional.empty() : decoder.digest(opening);
    RegionRead rows =
        explain.isPresent()
            ? explained(region, opening, decoded.request(), explain.get())
            : region.reads(0).scan(opening, tracked(message, decoded.request()), budget);
    Optional<HookedScan> hooks =
        rows instanceof HookedScan hooked ? Optional.of(hooked) : Optional.empty();
    RegionRead read = answering(digest, rows);
    if (isFull(decoded.request(), region.info())) {
      region.times().count(TableTimes.Event.FULL_SCAN);
    }
    boolean opened = false;
    try {
      OpenScanner scanner =
          new OpenScanner(
              scanners.newId(),
              region,
              read,
              hooks.isPresent() ? shape(opening, hooks.get()) : shape(opening),
              explain.isPresent()
                  ? Optional.empty()
                  : hooks.isPresent() ? hooks.get().filter() : decoded.filter(),
              hooks,
              explain.isPresent() || hooks.isPresent()
                  ? SearchedColumns.NONE
                  : new SearchedColumns(decoded.request()));
      scanner.enter(OptionalLong.empty());
      ScanAnswer response = response(scanner, OptionalLong.of(read.readPoint()));
      Work work = new Work(call, message, scanner, response);
      opened = true;
      return work;
    } finally {
      if (!opened) {
        read.close();
      }
    }
  }

  /** Returns the parts of a scan request that the engine does not need. */
  private OpenScanner.ScanShape shape(ScanMessage.Opening opening) {
    return new OpenScanner.ScanShape(
        opening.batch() > 0 ? opening.batch() : -1,
        bytes(opening.maxResultSize()),
        opening.small(),
        opening.wantsCursor());
  }

  /** As {@link #shape(ScanMessage.Opening)}, for a scan that hooks may have changed. */
  private OpenScanner.ScanShape shape(ScanMessage.Opening opening, HookedScan hooks) {
    return new OpenScanner.ScanShape(
        hooks.batch(), bytes(hooks.maxResultSize()), opening.small(), hooks.wantsCursor());
  }

  private long bytes(long asked) {
    long most = limits.get().maxResultBytes();
    return asked > 0 ? Math.min(asked, most) : most;
  }

  private CallOutcome<ScanAnswer> goOn(RpcCall call, ScanMessage message, long id)
      throws IOException {
    OpenScanner scanner = scanners.enter(id, message.sequence());
    call.concerns(scanner.region().name());
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
      ScanAnswer response = response(scanner, OptionalLong.empty());
      if (message.renews()) {
        response.more(true, true);
        scanners.keep(scanner);
        stepped = true;
        return new CallOutcome.Answered<>(response);
      }
      CallOutcome<ScanAnswer> answered = new Work(call, message, scanner, response).advance(SCAN);
      stepped = true;
      return answered;
    } catch (ReadStoppedException e) {
      throw new UnknownScannerException(
          "Scanner " + scanner.id() + " was ended by an operator of the server");
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

  /** The rest of a call that fills a response from its scanner. Finished or dropped once. */
  private final class Work implements CallOutcome.Continuation<ScanAnswer> {
    private final RpcCall call;
    private final ScanMessage message;
    private final OpenScanner scanner;
    private final ScanAnswer response;
    private final long begunNanos;
    private final ScanStep step;

    /**
     * The time at which the current thread began its work, as returned by {@link
     * LoadSampler#beginScan}.
     */
    private long timed;

    Work(RpcCall call, ScanMessage message, OpenScanner scanner, ScanAnswer response) {
      this.call = call;
      this.message = message;
      this.scanner = scanner;
      this.response = response;
      this.begunNanos = times.clock().nanoTime();
      this.timed = timed();
      scanner.region().times().time(call, Operation.SCAN);
      this.step = new ScanStep(times, scanners.leaseMillis(), limits.get(), call, message, scanner);
    }

    @Override
    public ScanAnswer finish() throws IOException {
      timed = timed();
      advance(SCAN);
      return response;
    }

    /**
     * Answers the call, or as much of it as the limits of {@code turn} allow; ends the scanner on
     * failure.
     */
    CallOutcome<ScanAnswer> advance(ReadBudget turn) throws IOException {
      boolean kept = false;
      try {
        ScanStep.Outcome outcome = ScanStep.Outcome.FILLED;
        if (message.rows() > 0) {
          outcome = fill(turn);
        } else {
          response.more(true, true);
        }
        boolean filled = outcome == ScanStep.Outcome.FILLED;
        if (filled && goesOn()) {
          // Admit before the scanner holds its read: the end of a held read may close and archive
          // files.
          scanners.admit(scanner);
        }
        if (outcome == ScanStep.Outcome.WOULD_WAIT
            || (!filled || goesOn()) && !scanner.scanner().hold()) {
          return CallOutcome.unfinished();
        }
        if (filled) {
          conclude();
        }
        kept = true;
        return filled
            ? new CallOutcome.Answered<>(response)
            : new CallOutcome.Unfinished<>(Optional.of(this));
      } finally {
        if (!kept) {
          drop();
        }
      }
    }

    private ScanStep.Outcome fill(ReadBudget turn) throws IOException {
      try {
        if (turn.mayWait()) {
          call.onAbandoned(scanner.scanner()::stop);
        }
        return step.fill(response, turn);
      } catch (ReadStoppedException e) {
        if (call.isAbandoned()) { // otherwise the scanner was ended, not the call
          throw new DoNotRetryIOException("The call was ended by an operator of the server");
        }
        throw e;
      } catch (IOException e) {
        scanner.region().load().ifPresent(load -> load.failed(place(scanner.lastStatistics())));
        throw e;
      }
    }

    @Override
    public void drop() {
      scanners.end(scanner);
    }

    /** Accounts for the cells of a full response, and keeps or ends the scanner. */
    private void conclude() throws IOException {
      ScanStatistics looked = scanner.newStatistics();
      scanner.region().reads((int) Math.min(Integer.MAX_VALUE, looked.rowsScanned()));
      if (scanner.region().load().isPresent()) {
        LoadSampler load = scanner.region().load().get();
        SampledScans.sample(
            load,
            step.cells(),
            place(looked),
            looked.rowsScanned(),
            looked.rowsFiltered(),
            timed,
            scanner.searched());
      }
      if (message.tracked()) {
        response.figures(
            ScanMetricsWriter.write(
                looked, begunNanos - call.receivedNanos(), times.clock().nanoTime() - begunNanos));
      }
      if (goesOn() || !scanner.mayClose()) {
        scanners.keep(scanner);
      } else {
        scanners.finish(scanner);
      }
    }

    private long timed() {
      Optional<LoadSampler> load = scanner.region().load();
      return load.isPresent() ? load.get().beginScan() : LoadSampler.UNTIMED;
    }

    /** Returns the last row of {@code looked}, or where the scan begins. */
    private byte[] place(ScanStatistics looked) {
      return looked.lastRow().length == 0
              && message.subject() instanceof ScanMessage.Opening opening
          ? opening.request().startRow()
          : looked.lastRow();
    }

    /** Tells whether the client is going to ask for more. */
    private boolean goesOn() {
      return response.hasMore() && !message.closes();
    }
  }

  private static ScanRequest tracked(ScanMessage message, ScanRequest request) {
    return message.tracked() || message.trackedByResult()
        ? request.toBuilder().observer(ScanObserver.METRICS).build()
        : request;
  }

  private static RegionRead answering(Optional<DigestOptions> digest, RegionRead rows) {
    return digest.isPresent() ? new DigestedScan(rows, digest.get()) : rows;
  }

  /** Explains a scan of a client. Hooks that open a scan are called, those of calls are not. */
  private RegionRead explained(
      HostedRegion region, ScanMessage.Opening opening, ScanRequest request, ExplainOptions options)
      throws IOException {
    RegionReads reads = region.reads(0);
    Explanation.Reads read =
        region.isHooked()
            ? (observed, budget) -> reads.scan(opening, observed, budget)
            : reads::read;
    return new ExplainedScan(
        region.info(),
        region.isHooked(),
        Explanation.open(read, request, times.clock(), options.rows(), options.cells()));
  }

  private ScanAnswer response(OpenScanner scanner, OptionalLong readPoint) {
    return response(scanner.id(), scanner.region().isReplica(), readPoint);
  }

  private ScanAnswer response(long scannerId, boolean stale, OptionalLong readPoint) {
    // Some clients check that every response repeats the id.
    return new ScanAnswer(scannerId, scanners.leaseMillis(), stale, readPoint);
  }
}
