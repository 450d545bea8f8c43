package dev.cairn.server.regionserver.assignment;

import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.region.RecoveredNonces;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FencedException;
import dev.cairn.server.catalog.DataDamage;
import dev.cairn.server.catalog.OpeningProblem;
import dev.cairn.server.regionserver.hooked.HookedWork;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.PreparedRegion;
import dev.cairn.server.regionserver.hosted.RegionFactory;
import dev.cairn.server.regionserver.hosted.TableDescriptors;
import dev.cairn.server.regionserver.membership.ServerState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition.TransitionCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens regions that the master gives to this server. A region's files are opened first, which
 * changes nothing. Once the master has agreed, the region begins to serve. Until then, another
 * server might own it. Thread-safe.
 */
public final class RegionOpener {
  private static final Logger LOG = LoggerFactory.getLogger(RegionOpener.class);
  private static final long BUSY_PAUSE_MILLIS = 200;

  /**
   * The sequence number that is reported for a refused region, whose real one is unknown until it
   * opens.
   */
  private static final long REFUSED_SEQUENCE = 1;

  private final ServerState state;
  private final OnlineRegions regions;
  private final RegionFactory factory;
  private final TableDescriptors descriptors;
  private final RecoveredNonces nonces;
  private final TransitionReporter reporter;
  private final Openings threads;
  private final HookedWork hooked;
  private final ScheduledExecutorService timer;
  private final Consumer<HostedRegion> opened;
  private final Consumer<Throwable> fatal;

  /** The latest order to open each opening region. A new master repeats orders. */
  private final Map<String, TransitionReporter.Cause> orders = new ConcurrentHashMap<>();

  private final OpeningFailures failures = new OpeningFailures();

  /**
   * Creates it.
   *
   * @param threads open regions and report them
   * @param hooked opens regions with hooks, except {@code hbase:meta}
   * @param opened receives each region that begins to serve; must not block
   * @param fatal receives the reason why the server must end
   */
  public RegionOpener(
      ServerState state,
      OnlineRegions regions,
      RegionFactory factory,
      TableDescriptors descriptors,
      RecoveredNonces nonces,
      TransitionReporter reporter,
      Openings threads,
      HookedWork hooked,
      ScheduledExecutorService timer,
      Consumer<HostedRegion> opened,
      Consumer<Throwable> fatal) {
    this.state = state;
    this.regions = regions;
    this.factory = factory;
    this.descriptors = descriptors;
    this.nonces = nonces;
    this.reporter = reporter;
    this.threads = threads;
    this.hooked = hooked;
    this.timer = timer;
    this.opened = opened;
    this.fatal = fatal;
  }

  /**
   * Begins to open a region and returns. The master hears how it ended, also if the region was open
   * already. While the region is closing this waits; while it is opening there is nothing to do,
   * since that opening will be reported: an order that waited for its end might be carried out when
   * the master has long given the region to another server.
   */
  public void open(RegionInfo info, TransitionReporter.Cause cause) {
    orders.merge(info.encodedName(), cause, TransitionReporter.Cause::later);
    switch (regions.beginOpening(info)) {
      case YES -> threads.threadsFor(info).execute(() -> openNow(info, cause));
      case ALREADY_DONE ->
          threads
              .threadsFor(info)
              .execute(
                  () ->
                      regions
                          .get(info.encodedName())
                          .ifPresentOrElse(
                              region -> reportAgain(region, cause), () -> open(info, cause)));
      case UNDER_WAY -> LOG.info("{} is opening already", info);
      case BUSY -> tryLater(info, cause);
    }
  }

  private void tryLater(RegionInfo info, TransitionReporter.Cause cause) {
    if (state.isGoingDown()) {
      return;
    }
    try {
      timer.schedule(() -> open(info, cause), BUSY_PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.info("{} is not opened: the server is going down", info);
    }
  }

  private void reportAgain(HostedRegion region, TransitionReporter.Cause cause) {
    LOG.info("{} is open already", region);
    orders.remove(region.encodedName());
    tellOpen(region, cause);
  }

  /** Reports an open region once more, with the reason if it refuses every call. */
  private void tellOpen(HostedRegion region, TransitionReporter.Cause cause) {
    report(
        TransitionCode.OPENED,
        region.info(),
        region.figures().statistics().openSequence(),
        region.refusal().map(reason -> new OpeningProblem(reason, false)),
        cause,
        () -> {},
        () -> LOG.info("The master does not agree that {} is open here", region));
  }

  private void openNow(RegionInfo info, TransitionReporter.Cause cause) {
    Opening opening;
    try {
      if (state.isGoingDown()) {
        throw new IOException("Server " + state.serverName() + " is going down");
      }
      opening = prepare(info, cause);
    } catch (IOException | RuntimeException | LinkageError e) {
      log(info, e);
      failed(info, cause, problem(e, false));
      return;
    }
    if (isHooked(opening)) {
      threads(opening).execute(() -> start(opening));
    } else {
      start(opening);
    }
  }

  /** Starts the region's coprocessors, and reports the region as open. */
  private void start(Opening opening) {
    try {
      if (state.isGoingDown()) {
        throw new IOException("Server " + state.serverName() + " is going down");
      }
      opening.region().start();
    } catch (IOException | RuntimeException | LinkageError e) {
      log(opening.info(), e);
      opening.region().close();
      failed(opening.info(), opening.cause(), problem(e, opening.region().isHooked()));
      return;
    }
    regions.reporting(opening.info().encodedName());
    if (isHooked(opening)) {
      threads.threadsFor(opening.info()).execute(() -> report(opening));
    } else {
      report(opening);
    }
  }

  /** Returns what the master and clients hear of a failure. */
  private static OpeningProblem problem(Throwable failure, boolean isOfHooks) {
    String message = failure.getMessage();
    return new OpeningProblem(
        isOfHooks && message != null ? message : failure.toString(), isOfHooks);
  }

  private void report(
      TransitionCode code,
      RegionInfo info,
      long openSequence,
      Optional<OpeningProblem> problem,
      TransitionReporter.Cause cause,
      Runnable accepted,
      Runnable refused) {
    reporter
        .on(threads.threadsFor(info))
        .report(code, info, openSequence, problem, cause, accepted, refused);
  }

  private void report(Opening prepared) {
    RegionInfo info = prepared.info();
    Opening opening = prepared.under(latest(info, prepared.cause()));
    report(
        TransitionCode.OPENED,
        info,
        opening.region().openSequence(),
        opening
            .region()
            .refusal()
            .map(reason -> new OpeningProblem(reason, opening.region().isHooked())),
        opening.cause(),
        () -> {
          if (isHooked(opening)) {
            threads(opening).execute(() -> begin(opening));
          } else {
            begin(opening);
          }
        },
        () -> refusedByMaster(opening));
  }

  private static boolean isHooked(Opening opening) {
    return opening.region().isHooked() && !opening.info().isMeta();
  }

  /** Returns the threads that start a region, and let it serve. */
  private Executor threads(Opening opening) {
    return isHooked(opening)
        ? hooked.threads(HookedWork.Kind.OPENING, opening.info().table())
        : threads.threadsFor(opening.info());
  }

  /** Gives the region back, unless a later order has come: then reports under that order. */
  private void refusedByMaster(Opening opening) {
    boolean isLatest = latest(opening.info(), opening.cause()).equals(opening.cause());
    if (isLatest || state.isGoingDown()) {
      giveBack(opening);
    } else {
      report(opening);
    }
  }

  private TransitionReporter.Cause latest(RegionInfo info, TransitionReporter.Cause known) {
    return orders.getOrDefault(info.encodedName(), known);
  }

  /** A region whose opening is reported to the master, or that begins to serve. */
  private record Opening(
      RegionInfo info, TableSchema schema, TransitionReporter.Cause cause, PreparedRegion region) {
    Opening under(TransitionReporter.Cause order) {
      return new Opening(info, schema, order, region);
    }
  }

  /**
   * Opens the files of a region. If its data is damaged, or the opening meets a programming error,
   * returns a region that refuses every call with that reason.
   *
   * @throws IOException if a later opening may succeed
   */
  private Opening prepare(RegionInfo info, TransitionReporter.Cause cause) throws IOException {
    TableSchema schema;
    try {
      schema = descriptors.read(info.table());
    } catch (IOException e) {
      if (state.isGoingDown() || !DataDamage.isPermanent(e)) { // others may have dropped it
        throw e;
      }
      String message = DataDamage.message("The table " + info.table() + " cannot be served", e);
      TableSchema unknown = TableSchema.of(info.table());
      HostedRegion refused = refused(info, unknown, message, e);
      return new Opening(info, unknown, cause, PreparedRegion.ready(refused));
    }
    PreparedRegion region;
    try {
      region = factory.prepare(info, schema, nonces);
    } catch (IOException | RuntimeException e) {
      region = PreparedRegion.ready(refused(info, schema, e));
    }
    return new Opening(info, schema, cause, region);
  }

  /** Lets a region serve after the master has agreed. */
  private void begin(Opening opening) {
    RegionInfo info = opening.info();
    HostedRegion region;
    try {
      if (state.isGoingDown()) {
        throw new IOException("Server " + state.serverName() + " is going down");
      }
      region = begun(opening);
    } catch (FencedException e) {
      LOG.info("{} has been opened elsewhere: {}", info, e.getMessage());
      giveBack(opening);
      return;
    } catch (IOException | RuntimeException | LinkageError e) {
      log(info, e);
      opening.region().close();
      failed(info, opening.cause(), problem(e, false));
      return;
    }
    failures.opened(info.encodedName());
    orders.remove(info.encodedName());
    regions.opened(region);
    LOG.info(
        "{} is open, at sequence number {}", info, region.figures().statistics().openSequence());
    opened.accept(region);
    if (region.refusal().isPresent() && opening.region().refusal().isEmpty()) {
      threads.threadsFor(info).execute(() -> tellOpen(region, opening.cause()));
    }
  }

  /** Returns the region as its owner opens it, or one that refuses every call. */
  private HostedRegion begun(Opening opening) throws IOException {
    try {
      return opening.region().begin(opening.cause().token());
    } catch (FencedException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      return refused(opening.info(), opening.schema(), e);
    }
  }

  private void log(RegionInfo info, Throwable failure) {
    if (state.isGoingDown()) {
      LOG.info("{} is not opened: the server is going down", info);
    } else if (failures.isNew(info.encodedName(), failure)) {
      LOG.warn("Cannot open {}", info, failure);
    } else {
      LOG.warn("Still cannot open {}: {}", info, failure.toString());
    }
  }

  private void failed(RegionInfo info, TransitionReporter.Cause cause, OpeningProblem problem) {
    TransitionReporter.Cause latest = latest(info, cause);
    orders.remove(info.encodedName());
    regions.openingFailed(info.encodedName(), problem.reason());
    report(
        TransitionCode.FAILED_OPEN,
        info,
        0,
        state.isGoingDown() ? Optional.empty() : Optional.of(problem),
        latest,
        () -> {},
        () -> LOG.info("The master refuses the report that {} cannot be opened", info));
  }

  /** Returns a region that refuses every call; throws {@code failure} if a retry may succeed. */
  private HostedRegion refused(RegionInfo info, TableSchema schema, Exception failure)
      throws IOException {
    boolean damaged = DataDamage.isPermanent(failure);
    if (state.isGoingDown() || !(damaged || isProgrammingError(failure))) {
      if (failure instanceof IOException known) {
        throw known;
      }
      throw (RuntimeException) failure;
    }
    String what = "The region " + info + " cannot be served";
    String message = damaged ? DataDamage.message(what, failure) : programmingError(what, failure);
    return refused(info, schema, message, failure);
  }

  private static boolean isProgrammingError(Exception failure) {
    return failure instanceof RuntimeException
        && !(failure instanceof MemoryShortageException)
        && !(failure instanceof UncheckedIOException);
  }

  private static String programmingError(String what, Exception failure) {
    return what
        + ", because of a programming error in Cairn: "
        + failure
        + ". The server's log has the stack trace; please report it. No damaged file was found."
        + " To try again, disable and enable the table, or restart the server";
  }

  private HostedRegion refused(RegionInfo info, TableSchema schema, String message, Exception cause)
      throws IOException {
    if (info.isMeta()) {
      IOException useless =
          new IOException(message, cause); // Nothing can be served without hbase:meta.
      fatal.accept(useless);
      throw useless;
    }
    if (failures.isNew(message, cause)) { // One damaged table may have many regions.
      if (cause instanceof RuntimeException) {
        LOG.error("{}", message, cause);
      } else {
        LOG.error("{}", message);
      }
    }
    LOG.info("{} is open and refuses every call", info);
    return HostedRegion.refused(info, schema, REFUSED_SEQUENCE, message);
  }

  private void giveBack(Opening opening) {
    orders.remove(opening.info().encodedName());
    regions.openingFailed(opening.info().encodedName());
    if (isHooked(opening)) {
      threads(opening).execute(opening.region()::close); // stops coprocessors
    } else {
      opening.region().close();
    }
  }
}
