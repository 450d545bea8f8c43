package dev.cairn.engine.region.read;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.index.TableIndexes;
import dev.cairn.engine.memory.ObjectPool;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.probe.ReadMark;
import dev.cairn.engine.region.state.Mvcc;
import dev.cairn.engine.region.state.NoSuchFamilyException;
import dev.cairn.engine.region.state.RegionGate;
import dev.cairn.engine.region.state.RegionStores;
import dev.cairn.engine.region.state.WrongRowException;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.retention.ReadHorizon;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreView;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/**
 * The reading side of a region.
 *
 * <p>A read needs consistent views and a read point. It takes the views first, then the read point;
 * if a store has published a new view in between, it takes both again. Then the views have all
 * cells up to the read point. No compaction that made one of these views has dropped a cell that
 * the read must see, because a compaction uses the read point at its own, earlier, beginning.
 *
 * <p>A read keeps its views, so later compactions do not affect it. A scan that may stay idle
 * continues in the files of later flushes ({@link OpenRead}). So it is registered ({@link
 * OpenScans}), and flushes keep what the oldest registered scan may see.
 *
 * <p>A scan whose scanner was lost, with its region's server or its lease, begins again in the
 * middle, and states its former read point: it continues there, so that the rest of a row fits its
 * beginning. But the server did not know of the scan meanwhile, so a compaction, or a flush that
 * met deletes or overwrites, may have dropped cells that it has to see. If one that dropped
 * anything saw newer writes, the scan continues at the present point, where nothing is missing.
 */
public final class RegionReader {
  private static final RegionGate.Visit INSIDE = () -> {};

  private final RegionInfo info;
  private final RegionStores stores;
  private final Mvcc mvcc;
  private final Clock clock;
  private final CellComparator comparator;
  private final OpenScans scans;
  private final RegionGate gate;
  private final Supplier<RowReading> maker;
  private final ObjectPool<RowReading> readings;
  private final IndexUse indexes;
  private final long openedMillis;

  /**
   * Pinned views that no read uses. The reads that pinned them must not wait, and a release may
   * close and archive files. So reads that may wait release these views.
   */
  private final Queue<StoreView> unneeded = new ConcurrentLinkedQueue<>();

  public RegionReader(
      RegionInfo info,
      RegionStores stores,
      Mvcc mvcc,
      Clock clock,
      OpenScans scans,
      RegionGate gate) {
    this(info, stores, mvcc, clock, scans, gate, () -> new RowReading(info.comparator(), clock));
  }

  /**
   * Creates a reader.
   *
   * @param maker makes the objects of a read
   */
  public RegionReader(
      RegionInfo info,
      RegionStores stores,
      Mvcc mvcc,
      Clock clock,
      OpenScans scans,
      RegionGate gate,
      Supplier<RowReading> maker) {
    this.info = info;
    this.stores = stores;
    this.mvcc = mvcc;
    this.clock = clock;
    this.comparator = info.comparator();
    this.scans = scans;
    this.gate = gate;
    this.maker = maker;
    this.readings = new ObjectPool<>(maker);
    this.indexes = new IndexUse(stores.all(), comparator);
    this.openedMillis = clock.currentTimeMillis();
  }

  /**
   * Opens a read of the part of {@code asked} that is in the region.
   *
   * @param visit ended when the read ends or becomes held, or if the opening fails
   */
  public RegionRead read(ScanRequest asked, ReadBudget budget, RegionGate.Visit visit)
      throws IOException {
    boolean ended = false; // whether the read ends the visit
    try {
      if (asked.isSingleRow() && !info.contains(asked.startRow())) {
        throw wrongRow(asked.startRow());
      }
      List<Store> wanted = wanted(asked);
      ScanRequest request = clip(withoutVain(asked, wanted));
      boolean free = !budget.mayWait() || isOverAfterOneCall(request, budget);
      RowReading reading = free ? readings.take() : maker.get();
      reading.views().of(wanted, stores);
      OpenRead read = new OpenRead(this, reading, request, visit);
      if (free) {
        ended = true;
        read.begin(budget);
      } else {
        read.beginHeld(budget);
      }
      return read;
    } finally {
      if (!ended) {
        visit.close();
      }
    }
  }

  private static boolean isOverAfterOneCall(ScanRequest request, ReadBudget budget) {
    return request.isSingleRow() && budget.isForWholeRow() && request.resumedFrom().isEmpty();
  }

  /** Appends the cells of one row to {@code out}, for a caller that is inside the gate. */
  public ScanProgress readRow(ScanRequest row, CellBuffer out, ReadBudget budget)
      throws IOException {
    try (RegionRead read = read(row, budget, INSIDE)) {
      return read.next(out, budget);
    }
  }

  /**
   * Registers a read that is held from its beginning, and pins its views.
   *
   * @return its read point
   */
  long enter(OpenRead read, ScanRequest request, ReadViews views) {
    if (request.resumedFrom().isPresent() && !request.readUncommitted()) {
      long from = Math.min(mvcc.readPoint(), request.resumedFrom().getAsLong());
      ReadHorizon begun = new ReadHorizon(from, clock.currentTimeMillis());
      if (scans.tryEnter(read, request, begun)) {
        do {
          views.unpin();
          views.pin();
        } while (!views.areCurrent());
        if (views.areWholeAt(request.resumedFrom().getAsLong())) {
          return from;
        }
        views.unpin();
      }
    }
    while (true) {
      views.pin();
      long readPoint = scans.enter(read, request);
      if (views.areCurrent()) {
        return readPoint;
      }
      views.unpin();
    }
  }

  /**
   * Registers a read that has begun and pins its views, if no store has changed since it began.
   * Closes no file.
   *
   * @param begun the read point and the time of the read
   * @return false, and the read is not registered, if a store has changed
   */
  boolean tryEnter(OpenRead read, ScanRequest request, ReadHorizon begun, ReadViews views) {
    if (!scans.tryEnter(read, request, begun)) {
      return false;
    }
    boolean unchanged = false;
    try {
      // A flush that ended before the read was registered has published new views.
      unchanged = views.tryPin() && views.areCurrent();
      return unchanged;
    } finally {
      if (!unchanged) {
        scans.leave(read);
        views.unpin(unneeded::add);
      }
    }
  }

  /** Releases the pinned views that no read uses. May close and archive files. */
  public void releaseUnneeded() {
    for (StoreView view = unneeded.poll(); view != null; view = unneeded.poll()) {
      view.release();
    }
  }

  /** Forgets a held read that has ended. */
  void leave(OpenRead read) {
    scans.leave(read);
  }

  RegionGate gate() {
    return gate;
  }

  /** Takes back the objects of a free read. */
  void giveBack(RowReading reading) {
    reading.views().forget();
    if (reading.isReusable()) {
      assert Marks.hit(ReadMark.OBJECTS_KEPT);
      readings.give(reading);
    }
  }

  /** Takes consistent views without pinning them, and returns their read point. */
  long look(ReadViews views, ScanRequest request) {
    while (true) {
      views.look();
      long readPoint = newestReadPoint(request);
      if (views.areCurrent()) {
        return readPoint;
      }
    }
  }

  /** Pins consistent views and returns their read point. */
  long pin(ReadViews views, ScanRequest request) {
    while (true) {
      views.unpin();
      views.pin();
      long readPoint = newestReadPoint(request);
      if (views.areCurrent()) {
        return readPoint;
      }
    }
  }

  CellComparator comparator() {
    return comparator;
  }

  Clock clock() {
    return clock;
  }

  /** Returns the use of the region's indexes. */
  IndexUse indexes() {
    return indexes;
  }

  /** Returns how many scans have used an index of the table since {@link #openedMillis}. */
  public long indexUses(TableIndexes.Index index) {
    return indexes.uses().of(index);
  }

  /** Returns when the region was opened, milliseconds since 1970. */
  public long openedMillis() {
    return openedMillis;
  }

  private long newestReadPoint(ScanRequest request) {
    return request.readUncommitted() ? Long.MAX_VALUE : mvcc.readPoint();
  }

  /** Returns the error for a row that belongs elsewhere. */
  WrongRowException wrongRow(byte[] row) {
    return new WrongRowException(
        "Row "
            + Bytes.toStringBinary(row)
            + " is not in the region "
            + info.regionNameAsString()
            + ", which ends before "
            + Bytes.toStringBinary(info.endKey()));
  }

  private List<Store> wanted(ScanRequest request) throws NoSuchFamilyException {
    if (request.families().isEmpty() || namesAllFamilies(request)) {
      return stores.all();
    }
    List<Store> wanted = new ArrayList<>();
    for (Store store : stores.all()) {
      if (request.families().containsKey(store.family().name())) {
        wanted.add(store);
      }
    }
    if (wanted.size() < request.families().size()) {
      for (byte[] family : request.families().keySet()) {
        if (wanted.stream().noneMatch(store -> Arrays.equals(store.family().name(), family))) {
          throw new NoSuchFamilyException(
              "Column family "
                  + Bytes.toStringBinary(family)
                  + " does not exist in region "
                  + info.regionNameAsString());
        }
      }
    }
    return wanted;
  }

  private boolean namesAllFamilies(ScanRequest request) {
    boolean all = request.families().size() == stores.all().size();
    for (int i = 0; all && i < stores.all().size(); i++) {
      all = request.families().containsKey(stores.all().get(i).family().name());
    }
    return all;
  }

  /**
   * Returns the request without its restriction to MOB references if no family can have any; HBase
   * ignores it then, too.
   */
  private static ScanRequest withoutVain(ScanRequest request, List<Store> wanted) {
    if (!request.mob().referencesOnly()
        || wanted.stream().anyMatch(store -> store.family().isMob())) {
      return request;
    }
    return request.toBuilder().mob(request.mob().withAllCells()).build();
  }

  private ScanRequest clip(ScanRequest request) {
    byte[] low = info.startKey();
    byte[] high = info.endKey();
    byte[] from = request.reversed() ? request.stopRow() : request.startRow();
    byte[] to = request.reversed() ? request.startRow() : request.stopRow();
    boolean clipLow = low.length > 0 && (from.length == 0 || comparator.compareRows(from, low) < 0);
    boolean clipHigh = high.length > 0 && (to.length == 0 || comparator.compareRows(to, high) >= 0);
    if (!clipLow && !clipHigh) {
      return request;
    }
    ScanRequest.Builder clipped = request.toBuilder();
    if (clipLow && request.reversed()) {
      clipped.stop(low, true);
    } else if (clipLow) {
      clipped.start(low, true);
    }
    if (clipHigh && request.reversed()) {
      clipped.start(high, false);
    } else if (clipHigh) {
      clipped.stop(high, false);
    }
    return clipped.build();
  }
}
