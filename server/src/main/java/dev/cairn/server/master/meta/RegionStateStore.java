package dev.cairn.server.master.meta;

import dev.cairn.server.catalog.Catalog;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.rpc.RpcRemoteException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes changes of {@code hbase:meta} in the order in which they are requested. Requests that come
 * during a write share the next one. While {@code hbase:meta} is not open, or a write fails,
 * requests wait: each can be repeated, and none may be left out. Owned by the loop.
 *
 * <p>If {@code hbase:meta} refuses a change for good, the requests of that write are written one by
 * one. A refused request is held back, together with later requests for the same rows; all others
 * go on. Requests that are held back are tried again after long pauses.
 */
public final class RegionStateStore {
  private static final Logger LOG = LoggerFactory.getLogger(RegionStateStore.class);
  private static final Duration PAUSE_MIN = Duration.ofMillis(5);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(5);

  /** The pause before requests that are held back are tried again. */
  static final Duration REFUSED_PAUSE = Duration.ofSeconds(30);

  private final MasterLoop loop;
  private final Catalog catalog;
  private final TableStateMirror mirror;

  /** In the order in which they came. */
  private List<Request> waiting = new ArrayList<>();

  /** Requests that are written one by one, before {@link #waiting}. */
  private List<Request> apart = new ArrayList<>();

  /** Refused requests, and later ones for the same rows, in the order in which they came. */
  private List<Request> heldBack = new ArrayList<>();

  /** The rows of {@link #heldBack}. */
  private final Set<ByteString> heldRows = new HashSet<>();

  private boolean writing;
  private boolean open;
  private Duration pause = PAUSE_MIN;

  private record Request(List<CatalogChange> changes, Runnable done) {
    Set<ByteString> rows() {
      Set<ByteString> rows = new HashSet<>();
      changes.forEach(change -> rows.addAll(Catalog.rows(change)));
      return rows;
    }
  }

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

  /** Writes {@code changes}, then runs {@code done}. */
  public void write(List<CatalogChange> changes, Runnable done) {
    Request request = new Request(List.copyOf(changes), done);
    if (!follow(request)) {
      waiting.add(request);
      next();
    }
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
            cause -> failed(batch, cause)));
  }

  private void failed(List<Request> batch, IOException cause) {
    if (!isFinal(cause)) {
      retry(batch, cause);
      return;
    }
    if (batch.size() == 1) {
      holdBack(batch.get(0), cause);
    } else {
      apart.addAll(0, batch);
    }
    writing = false;
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

  private void holdBack(Request refused, IOException cause) {
    LOG.error(
        "hbase:meta refuses {}. The change is tried again every {} s, and later changes of the same"
            + " rows wait for it",
        refused.changes(),
        REFUSED_PAUSE.toSeconds(),
        cause);
    if (heldBack.isEmpty()) {
      loop.after(REFUSED_PAUSE, this::tryHeldBack);
    }
    heldBack.add(refused);
    heldRows.addAll(refused.rows());
    apart = withoutFollowers(apart);
    waiting = withoutFollowers(waiting);
  }

  private List<Request> withoutFollowers(List<Request> requests) {
    List<Request> others = new ArrayList<>();
    for (Request request : requests) {
      if (!follow(request)) {
        others.add(request);
      }
    }
    return others;
  }

  /** Holds a request back if it changes rows of those that are held back. */
  private boolean follow(Request request) {
    Set<ByteString> rows = heldRows.isEmpty() ? Set.of() : request.rows();
    if (Collections.disjoint(heldRows, rows)) {
      return false;
    }
    heldBack.add(request);
    heldRows.addAll(rows);
    return true;
  }

  private void tryHeldBack() {
    apart.addAll(0, heldBack);
    heldBack = new ArrayList<>();
    heldRows.clear();
    next();
  }
}
