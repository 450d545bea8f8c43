package dev.cairn.server.master.meta;

import dev.cairn.server.catalog.Catalog;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes changes of {@code hbase:meta} in the order in which they are asked for. What comes while a
 * write is under way goes together with the next one. While {@code hbase:meta} is not open, or a
 * write fails, changes wait: they are all repeatable, and none may be left out. Owned by the loop.
 */
public final class RegionStateStore {
  private static final Logger LOG = LoggerFactory.getLogger(RegionStateStore.class);
  private static final Duration PAUSE_MIN = Duration.ofMillis(5);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(5);

  private final MasterLoop loop;
  private final Catalog catalog;
  private final TableStateMirror mirror;
  private List<Request> waiting = new ArrayList<>();
  private boolean writing;
  private boolean open;
  private Duration pause = PAUSE_MIN;

  private record Request(List<CatalogChange> changes, Runnable done) {}

  /** Creates it; changes wait until {@link #setOpen} says that {@code hbase:meta} is open. */
  public RegionStateStore(MasterLoop loop, Catalog catalog, TableStateMirror mirror) {
    this.loop = loop;
    this.catalog = catalog;
    this.mirror = mirror;
  }

  /** Says whether {@code hbase:meta} is open. */
  public void setOpen(boolean open) {
    this.open = open;
    next();
  }

  /** Writes {@code changes}, then runs {@code done}. */
  public void write(List<CatalogChange> changes, Runnable done) {
    waiting.add(new Request(List.copyOf(changes), done));
    next();
  }

  private void next() {
    if (writing || !open || waiting.isEmpty()) {
      return;
    }
    List<Request> batch = waiting;
    waiting = new ArrayList<>();
    writing = true;
    write(batch);
  }

  private void write(List<Request> batch) {
    List<CatalogChange> changes = new ArrayList<>();
    batch.forEach(request -> changes.addAll(request.changes()));
    loop.perform(
        Lane.CATALOG,
        () -> {
          catalog.apply(changes);
          mirror.repeat(changes);
        },
        Completion.of(
            () -> {
              pause = PAUSE_MIN;
              writing = false;
              batch.forEach(request -> request.done().run());
              next();
            },
            cause -> retry(batch, cause)));
  }

  private void retry(List<Request> batch, IOException cause) {
    LOG.warn(
        "hbase:meta could not be written, trying again in {} ms: {}",
        pause.toMillis(),
        cause.getMessage());
    loop.after(
        pause,
        () -> {
          // What came meanwhile stays behind what waits.
          List<Request> all = new ArrayList<>(batch);
          all.addAll(waiting);
          waiting = all;
          writing = false;
          next();
        });
    pause = pause.multipliedBy(2).compareTo(PAUSE_MAX) < 0 ? pause.multipliedBy(2) : PAUSE_MAX;
  }
}
