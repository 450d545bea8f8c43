package dev.cairn.server.master.meta;

import dev.cairn.server.catalog.Catalog;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.rpc.wire.RpcRemoteException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes changes of {@code hbase:meta} in the order in which they are requested. Requests that come
 * during a write share the next one. While {@code hbase:meta} is not open, or a write fails,
 * requests wait: each can be repeated, and none may be left out. Owned by the loop.
 *
 * <p>If {@code hbase:meta} refuses a change for good, the requests of that write are written one by
 * one. The caller of a refused request learns the reason; all other requests are written.
 */
public final class RegionStateStore {
  private static final Logger LOG = LoggerFactory.getLogger(RegionStateStore.class);
  private static final Duration PAUSE_MIN = Duration.ofMillis(5);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(5);

  private final MasterLoop loop;
  private final Catalog catalog;
  private final TableStateMirror mirror;

  /** In the order in which they came. */
  private List<Request> waiting = new ArrayList<>();

  /** Requests that are written one by one, before {@link #waiting}. */
  private List<Request> apart = new ArrayList<>();

  private boolean writing;
  private boolean open;
  private Duration pause = PAUSE_MIN;

  private record Request(List<CatalogChange> changes, Completion completion) {}

  /** Creates it; changes wait until {@link #setOpen} is called with true. */
  public RegionStateStore(MasterLoop loop, Catalog catalog, TableStateMirror mirror) {
    this.loop = loop;
    this.catalog = catalog;
    this.mirror = mirror;
  }

  /** Sets whether {@code hbase:meta} is open. */
  public void setOpen(boolean open) {
    this.open = open;
    next();
  }

  /**
   * Writes {@code changes}. The completion fails if {@code hbase:meta} refuses one of them for
   * good; a caller may not know then which of the changes are in {@code hbase:meta}.
   */
  public void write(List<CatalogChange> changes, Completion completion) {
    waiting.add(new Request(List.copyOf(changes), completion));
    next();
  }

  private void next() {
    if (writing || !open || waiting.isEmpty() && apart.isEmpty()) {
      return;
    }
    List<Request> batch = waiting;
    if (apart.isEmpty()) {
      waiting = new ArrayList<>();
    } else {
      batch = List.of(apart.remove(0));
    }
    writing = true;
    write(batch);
  }

  private void write(List<Request> batch) {
    List<CatalogChange> changes = new ArrayList<>();
    batch.forEach(request -> changes.addAll(request.changes()));
    loop.perform(
        Lane.CATALOG,
        () -> {
          apply(changes);
          mirror.repeat(changes);
        },
        Completion.of(
            () -> {
              pause = PAUSE_MIN;
              writing = false;
              batch.forEach(request -> request.completion().done());
              next();
            },
            cause -> failed(batch, cause)));
  }

  private void apply(List<CatalogChange> changes) throws IOException {
    try {
      catalog.apply(changes);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (RuntimeException e) {
      throw new DoNotRetryIOException("A programming error: " + e, e);
    }
  }

  private void failed(List<Request> batch, IOException cause) {
    if (!isFinal(cause)) {
      retry(batch, cause);
      return;
    }
    writing = false;
    if (batch.size() == 1) {
      refuse(batch.get(0), cause);
    } else {
      apart.addAll(0, batch);
    }
    next();
  }

  private static boolean isFinal(IOException cause) {
    return cause instanceof DoNotRetryIOException
        || cause instanceof RpcRemoteException remote && remote.doNotRetry();
  }

  private void retry(List<Request> batch, IOException cause) {
    LOG.warn(
        "hbase:meta could not be written, trying again in {} ms: {}",
        pause.toMillis(),
        cause.getMessage());
    loop.after(
        pause,
        () -> {
          // Before all requests that came meanwhile.
          (batch.size() == 1 ? apart : waiting).addAll(0, batch);
          writing = false;
          next();
        });
    pause = pause.multipliedBy(2).compareTo(PAUSE_MAX) < 0 ? pause.multipliedBy(2) : PAUSE_MAX;
  }

  private void refuse(Request refused, IOException cause) {
    LOG.error("hbase:meta refuses {}", refused.changes(), cause);
    refused.completion().failed(cause);
  }
}
