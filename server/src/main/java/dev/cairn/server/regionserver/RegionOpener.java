package dev.cairn.server.regionserver;

import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.region.RecoveredNonces;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.DataDamage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition.TransitionCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens regions that the master gives to this server. A region serves once it is open and the
 * master has agreed: until then another server might have it. Thread-safe.
 */
final class RegionOpener {
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
  private final Executor executor;
  private final ScheduledExecutorService timer;
  private final Consumer<Throwable> fatal;
  private final OpeningFailures failures = new OpeningFailures();

  RegionOpener(
      ServerState state,
      OnlineRegions regions,
      RegionFactory factory,
      TableDescriptors descriptors,
      RecoveredNonces nonces,
      TransitionReporter reporter,
      Executor executor,
      ScheduledExecutorService timer,
      Consumer<Throwable> fatal) {
    this.state = state;
    this.regions = regions;
    this.factory = factory;
    this.descriptors = descriptors;
    this.nonces = nonces;
    this.reporter = reporter;
    this.executor = executor;
    this.timer = timer;
    this.fatal = fatal;
  }

  /**
   * Begins to open a region and returns. The master hears how it ended, also if the region was open
   * already. While the region is closing this waits; while it is opening there is nothing to do,
   * since that opening will be reported: an order that waited for its end might be carried out when
   * the master has long given the region to another server.
   */
  void open(RegionInfo info, TransitionReporter.Cause cause) {
    switch (regions.beginOpening(info)) {
      case YES -> executor.execute(() -> openNow(info, cause));
      case ALREADY_DONE ->
          executor.execute(
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
    reporter.report(
        TransitionCode.OPENED,
        region.info(),
        region.upkeep().statistics().openSequence(),
        cause,
        () -> {},
        () -> LOG.warn("The master does not agree that {} is open here", region));
  }

  private void openNow(RegionInfo info, TransitionReporter.Cause cause) {
    HostedRegion region;
    long openSequence;
    try {
      if (state.isGoingDown()) {
        throw new IOException("Server " + state.serverName() + " is going down");
      }
      if (info.replicaId() != 0) {
        throw new IOException("Cairn does not support region replicas, such as " + info);
      }
      region = open(info).watchedBy(fatal);
      openSequence = region.upkeep().statistics().openSequence();
    } catch (IOException | RuntimeException | LinkageError e) {
      if (failures.isNew(info.encodedName(), e)) {
        LOG.error("Cannot open {}", info, e);
      } else {
        LOG.error("Still cannot open {}: {}", info, e.toString());
      }
      regions.openingFailed(info.encodedName());
      reporter.report(
          TransitionCode.FAILED_OPEN,
          info,
          0,
          cause,
          () -> {},
          () -> LOG.warn("The master does not want to know that {} cannot be opened", info));
      return;
    }
    failures.opened(info.encodedName());
    regions.reporting(info.encodedName());
    reporter.report(
        TransitionCode.OPENED,
        info,
        openSequence,
        cause,
        () -> {
          regions.opened(region);
          LOG.info("{} is open, at sequence number {}", info, openSequence);
        },
        () -> giveBack(region));
  }

  /**
   * Opens a region. If its data is damaged, or the opening meets a programming error, returns a
   * region that refuses every call with that reason.
   */
  private HostedRegion open(RegionInfo info) throws IOException {
    TableSchema schema;
    try {
      schema = descriptors.read(info.table());
    } catch (IOException e) {
      String message = DataDamage.message("The table " + info.table() + " cannot be served", e);
      return refused(info, TableSchema.of(info.table()), message, e);
    }
    try {
      return factory.open(info, schema, nonces);
    } catch (IOException | RuntimeException e) {
      boolean damaged = DataDamage.isPermanent(e);
      if (state.isGoingDown() || !(damaged || isProgrammingError(e))) {
        throw e;
      }
      String what = "The region " + info + " cannot be served";
      String message = damaged ? DataDamage.message(what, e) : programmingError(what, e);
      return refused(info, schema, message, e);
    }
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
    if (info.table().isMeta()) {
      IOException useless =
          new IOException(message, cause); // Nothing can be served without hbase:meta.
      fatal.accept(useless);
      throw useless;
    }
    if (failures.isNew(message, cause)) { // One damaged table may have many regions.
      LOG.error("{}", message, cause);
    }
    LOG.info("{} is open and refuses every call", info);
    return HostedRegion.refused(info, schema, REFUSED_SEQUENCE, message);
  }

  private void giveBack(HostedRegion region) {
    regions.openingFailed(region.encodedName());
    try {
      region.upkeep().close(true);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot close {}, which the master did not accept", region, e);
    }
  }
}
