package dev.cairn.engine.region;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.NotInMemoryException;
import dev.cairn.engine.cursor.ReadFigures;
import dev.cairn.engine.explain.ExplainSource;
import dev.cairn.engine.explain.ExplainingScanner;
import dev.cairn.engine.explain.Explanation;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.ReadHorizon;
import dev.cairn.engine.scan.RegionScanner;
import dev.cairn.engine.scan.RowScanner;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.SourceTrace;
import dev.cairn.engine.scan.Spares;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreCursors;
import dev.cairn.engine.store.StoreFile;
import dev.cairn.engine.store.StoreView;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The reading side of a region.
 *
 * <p>A read needs a read point and views of the stores that belong together: the views are pinned
 * first, the read point is taken, and if a store has published a new view in between, both are
 * taken again. Then everything up to the read point is in the views, and no compaction that made
 * one of them dropped what a read at that point has to see, because compactions go by the read
 * point at their own, earlier, beginning.
 *
 * <p>A read keeps its views, so later compactions do not affect it. A scan that may stay idle
 * continues in the files of later flushes ({@link HeldScanner}). So it is registered ({@link
 * OpenScans}), and flushes keep what the oldest registered scan may see. An explained scan keeps
 * its original segments, because it reports where each cell is stored.
 *
 * <p>A scan whose scanner was lost, with its region's server or its lease, begins again in the
 * middle, and says at which point it read: then it goes on there, so that the rest of a row fits
 * its beginning. But since nobody knew of it meanwhile, a compaction may have dropped what it has
 * to see, and so may a flush that came upon deletes or overwrites; if one that dropped anything saw
 * something newer, the scan goes on at the present point, where nothing is missing.
 */
final class RegionReader {
  private final RegionInfo info;
  private final RegionStores stores;
  private final Mvcc mvcc;
  private final Clock clock;
  private final CellComparator comparator;
  private final OpenScans scans;
  private final RegionGate gate;
  private final Spares<RowReading> readings;

  RegionReader(
      RegionInfo info,
      RegionStores stores,
      Mvcc mvcc,
      Clock clock,
      OpenScans scans,
      RegionGate gate) {
    this.info = info;
    this.stores = stores;
    this.mvcc = mvcc;
    this.clock = clock;
    this.comparator = info.comparator();
    this.scans = scans;
    this.gate = gate;
    this.readings = new Spares<>(() -> new RowReading(comparator, clock));
  }

  /** Opens a scan of the part of {@code request} that lies in the region. */
  RegionScanner scan(ScanRequest request) throws IOException {
    List<Store> wanted = wanted(request);
    ScanRequest clipped = clip(withoutVain(request, wanted));
    RowReading reading = new RowReading(comparator, clock);
    HeldScanner scan = new HeldScanner(reading, wanted, clipped, scans, gate);
    StoreView[] views = reading.views(wanted.size());
    scan.begin(() -> enter(scan, clipped, wanted, views));
    return scan;
  }

  /**
   * Registers a scan and pins its views.
   *
   * @return its read point
   */
  private long enter(HeldScanner scan, ScanRequest request, List<Store> wanted, StoreView[] views) {
    if (request.resumedFrom().isPresent() && !request.readUncommitted()) {
      long from = Math.min(mvcc.readPoint(), request.resumedFrom().getAsLong());
      ReadHorizon begun = new ReadHorizon(from, clock.currentTimeMillis());
      if (scans.tryEnter(scan, request, begun)) {
        pin(wanted, views, () -> from);
        if (isWhole(views, request.resumedFrom().getAsLong())) {
          return from;
        }
        release(views);
      }
    }
    return pin(wanted, views, () -> scans.enter(scan, request));
  }

  /** Opens an explanation of the part of {@code request} that lies in the region. */
  Explanation explain(ScanRequest request, int rowsMax, int cellsMax) throws IOException {
    List<Store> wanted = wanted(request);
    ScanRequest clipped = clip(withoutVain(request, wanted)).toBuilder().tracked(true).build();
    StoreView[] views = new StoreView[wanted.size()];
    long readPoint = pin(wanted, views, () -> newestReadPoint(request));
    ReadFigures reads = new ReadFigures(clock);
    List<ExplainSource> sources = new ArrayList<>(views.length);
    boolean opened = false;
    try {
      for (int i = 0; i < views.length; i++) {
        FamilySchema family = wanted.get(i).family();
        SourceTrace trace = SourceTrace.tracking(reads);
        sources.add(
            new ExplainSource(
                family,
                StoreCursors.open(views[i], family, clipped, readPoint, trace),
                trace,
                wanted.get(i).values(views[i], clipped.mob()),
                StoreCursors.everything(views[i]),
                ExplainedSources.of(views[i]),
                views[i]::release));
      }
      Explanation explanation =
          new ExplainingScanner(
              clipped, sources, comparator, readPoint, clock, reads, rowsMax, cellsMax);
      opened = true;
      return explanation;
    } finally {
      if (!opened) {
        for (ExplainSource source : sources) {
          source.cursors().forEach(CellCursor::close);
          source.all().forEach(CellCursor::close);
          source.values().close();
        }
        release(views);
      }
    }
  }

  /** Appends the cells of one row to {@code out}. */
  void get(ScanRequest asked, CellBuffer out) throws IOException {
    List<Store> wanted = wantedOfRow(asked);
    ScanRequest request = withoutVain(asked, wanted);
    RowReading reading = readings.take();
    StoreView[] views = reading.views(wanted.size());
    long readPoint = pin(wanted, views, () -> newestReadPoint(request));
    try {
      reading.read(wanted, request, readPoint, false, out, ReadBudget.WHOLE_ROWS);
    } finally {
      release(views);
      giveBack(reading);
    }
  }

  /**
   * As {@link #get}, as long as all is in memory. The views are not pinned: what this reads are
   * arrays that nobody changes, and a file that is closed meanwhile has just left the cache.
   *
   * @param limits unlike elsewhere, not even the last cell may go beyond them: one value may be as
   *     long as any row
   * @return false if a block is missing or the limits are reached; {@code out} is then as before
   */
  boolean tryGet(ScanRequest asked, CellBuffer out, ReadBudget limits) throws IOException {
    List<Store> wanted = wantedOfRow(asked);
    ScanRequest request = withoutVain(asked, wanted);
    RowReading reading = readings.take();
    StoreView[] views = reading.views(wanted.size());
    int before = out.size();
    int bytesBefore = out.byteSize();
    boolean done = false;
    try {
      long readPoint = look(wanted, views, request);
      if (!isPlain(wanted, views, request)) {
        return false;
      }
      ScanProgress progress = reading.read(wanted, request, readPoint, true, out, limits);
      long size = ReadBudget.size(out.size() - before, out.byteSize() - bytesBefore);
      done =
          (progress == ScanProgress.ROW_DONE || progress == ScanProgress.END)
              && (limits.maxBytes() < 0 || size <= limits.maxBytes());
    } catch (NotInMemoryException e) {
      return false;
    } finally {
      if (!done) {
        out.truncate(before);
      }
      giveBack(reading);
    }
    return done;
  }

  /**
   * As {@link #scan}, for a caller inside the gate that must not wait; as in {@link #tryGet}, views
   * are not pinned until the scan is kept.
   *
   * @return empty if the scan may need files in any case
   * @throws NotInMemoryException if it needs a block that is not in memory
   */
  Optional<QuickScan> tryScan(ScanRequest request) throws IOException {
    if (request.tracked() || request.resumedFrom().isPresent()) {
      return Optional.empty();
    }
    List<Store> wanted = wanted(request);
    ScanRequest clipped = clip(withoutVain(request, wanted));
    RowReading reading = readings.take();
    StoreView[] views = reading.views(wanted.size());
    Optional<QuickScan> scan = Optional.empty();
    try {
      long readPoint = look(wanted, views, request);
      boolean ownValues = true;
      for (int i = 0; i < views.length; i++) {
        ownValues &= wanted.get(i).hasOwnValues(views[i], clipped.mob());
      }
      if (ownValues) {
        RegionScanner scanner = reading.begin(wanted, clipped, readPoint, true);
        scan =
            Optional.of(
                new UnpinnedScanner(
                    scanner, () -> hold(reading, wanted, clipped), () -> end(reading), gate));
      }
    } finally {
      if (scan.isEmpty()) {
        end(reading);
      }
    }
    return scan;
  }

  /**
   * Turns a scan that began in memory into one that may stay idle, if no store has changed since.
   */
  private Optional<HeldScanner> hold(RowReading reading, List<Store> wanted, ScanRequest request) {
    HeldScanner scan = new HeldScanner(reading, wanted, request, scans, gate);
    StoreView[] views = reading.views(wanted.size());
    boolean held = scan.takeOver(() -> tryEnter(scan, reading.scanner(), request, wanted, views));
    return held ? Optional.of(scan) : Optional.empty();
  }

  /** Registers a scan that has begun and pins its views, if no store has changed since. */
  private boolean tryEnter(
      HeldScanner scan,
      RowScanner begun,
      ScanRequest request,
      List<Store> wanted,
      StoreView[] views) {
    ReadHorizon since = new ReadHorizon(begun.readPoint(), begun.nowMillis());
    if (!scans.tryEnter(scan, request, since)) {
      return false;
    }
    int retained = 0;
    while (retained < views.length && views[retained].tryRetain()) {
      retained++;
    }
    // A flush that ended before the scan was registered has published new views.
    boolean unchanged = retained == views.length && areCurrent(wanted, views);
    if (!unchanged) {
      for (int i = 0; i < retained; i++) {
        views[i].release();
      }
      scans.leave(scan);
    }
    return unchanged;
  }

  private void end(RowReading reading) {
    reading.close();
    giveBack(reading);
  }

  private void giveBack(RowReading reading) {
    reading.forget();
    if (reading.isReusable()) {
      readings.give(reading);
    }
  }

  /** Tells whether a {@link RowReading} can do it. */
  private static boolean isPlain(List<Store> wanted, StoreView[] views, ScanRequest request) {
    boolean plain = request.isSingleRow() && !request.tracked();
    for (int i = 0; i < views.length; i++) {
      plain &= wanted.get(i).hasOwnValues(views[i], request.mob());
    }
    return plain;
  }

  /** Takes consistent views and their read point, without pinning. */
  private long look(List<Store> wanted, StoreView[] views, ScanRequest request) {
    while (true) {
      for (int i = 0; i < views.length; i++) {
        views[i] = wanted.get(i).view();
      }
      long readPoint = newestReadPoint(request);
      if (areCurrent(wanted, views)) {
        return readPoint;
      }
    }
  }

  private long newestReadPoint(ScanRequest request) {
    return request.readUncommitted() ? Long.MAX_VALUE : mvcc.readPoint();
  }

  private static boolean areCurrent(List<Store> wanted, StoreView[] views) {
    boolean current = true;
    for (int i = 0; i < views.length; i++) {
      current &= wanted.get(i).view() == views[i];
    }
    return current;
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

  /**
   * Pins consistent views.
   *
   * @param point takes the read point; called again if a store has changed meanwhile
   * @return the read point
   */
  private static long pin(List<Store> wanted, StoreView[] views, LongSupplier point) {
    while (true) {
      for (int i = 0; i < views.length; i++) {
        views[i] = wanted.get(i).pin();
      }
      long readPoint = point.getAsLong();
      if (areCurrent(wanted, views)) {
        return readPoint;
      }
      release(views);
    }
  }

  private static void release(StoreView[] views) {
    for (StoreView view : views) {
      view.release();
    }
  }

  /** Tells whether nothing can be missing that a read at {@code readPoint} sees. */
  private static boolean isWhole(StoreView[] views, long readPoint) {
    for (StoreView view : views) {
      for (StoreFile file : view.files()) {
        if (!file.isWholeAt(readPoint)) {
          return false;
        }
      }
    }
    return true;
  }

  private List<Store> wantedOfRow(ScanRequest asked) throws IOException {
    if (!info.contains(asked.startRow())) {
      throw wrongRow(asked.startRow());
    }
    return wanted(asked);
  }

  private List<Store> wanted(ScanRequest request) throws NoSuchFamilyException {
    if (request.families().isEmpty()) {
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

  /** Where no family can have references to MOB files, HBase does not look for them. */
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
