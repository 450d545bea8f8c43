package dev.cairn.engine.store;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.index.IndexedColumns;
import dev.cairn.engine.layout.MobDirectory;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.memstore.MemStoreSegment;
import dev.cairn.engine.memstore.NonceList;
import dev.cairn.engine.mob.MobFamily;
import dev.cairn.engine.scan.ScanRequest.MobOptions;
import dev.cairn.engine.scan.ValueSource;
import dev.cairn.engine.scan.retention.BigRow;
import dev.cairn.engine.scan.retention.ReadHorizon;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.storage.ScratchDirectory;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.tracking.StoreFileTracker;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;

/**
 * One family of one region. Any number of threads may read and add; {@link #freeze} must exclude
 * {@link #add}, which the region's update lock sees to. A new view is published under the store's
 * own lock, which is never held over I/O.
 */
public final class Store implements Closeable {
  /**
   * With its header a slab fills regions of the garbage collector exactly, of 1 or 2 MB as heaps up
   * to 4 GB have them, and is never copied. A slab of a round 1 MB took a region too much:
   * memstores of 384 MB took 766 MB of heap, and now 424.
   */
  private static final int SLAB_BYTES = (2 << 20) - 16;

  private final RegionInfo info;
  private final String region;
  private final FamilySchema family;
  private final CellComparator comparator;
  private final RegionDirectory directory;
  private final ScratchDirectory scratch;
  private final StoreContext context;
  private final MobFamily mob;
  private final Compactor compactor;
  private final BigRows bigRows = new BigRows();
  private final StoreFileWriter writer;
  private final StoreFileTracker tracker;
  private final Leftovers leftovers;
  private volatile StoreView view;

  /** Grows whenever the files of {@link #view} change. Written by the publisher of views. */
  private volatile long filesVersion;

  /** The views with users: the current view, and the views of running reads. */
  private final Set<StoreView> views = ConcurrentHashMap.newKeySet();

  private volatile long lastFlushMillis;
  private final DoubleSupplier pressure = this::compactionPressure;
  private final Set<String> dropped = ConcurrentHashMap.newKeySet();

  /**
   * Creates a store of open files.
   *
   * @param scratch where the store's owner writes files before they count
   * @param leftovers files that are not part of the store and must be removed
   */
  Store(
      RegionInfo region,
      FamilySchema family,
      RegionDirectory directory,
      StoreContext context,
      StoreFileTracker tracker,
      ScratchDirectory scratch,
      Leftovers leftovers,
      List<StoreFile> files) {
    this.info = region;
    this.region = region.encodedName();
    this.family = family;
    this.comparator = region.comparator();
    this.directory = directory;
    this.context = context;
    this.scratch = scratch;
    this.mob = mob(region);
    this.tracker = tracker;
    this.leftovers = leftovers;
    this.writer = new StoreFileWriter(this);
    this.compactor = new Compactor(this, writer);
    this.view = view(List.of(newSegment()), files);
    this.lastFlushMillis = context.clock().currentTimeMillis();
    files.forEach(StoreFile::release);
    context.paces().compactions().watch(pressure);
  }

  private MobFamily mob(RegionInfo info) {
    String name = family.nameAsString();
    StoreDirectory place = StoreDirectory.parse(directory.family(name));
    return new MobFamily(
        MobDirectory.of(place.dataDirectory(), info.table(), name),
        info.startKey(),
        region,
        scratch,
        context.storage(),
        context.fileNames(),
        context.clock(),
        context.helpers(),
        context.mobFiles(),
        context.mobSettings());
  }

  /** Returns the family. */
  public FamilySchema family() {
    return family;
  }

  /** Tells whether columns of the family have an index. */
  public boolean isIndexed() {
    return indexed().count() > 0;
  }

  /** Returns the indexed columns of the family. */
  public IndexedColumns indexed() {
    return context.indexed();
  }

  /** Returns the account from which reads and writes of files borrow memory. */
  public MemoryAccount memory() {
    return context.memory();
  }

  /** Returns the order of the store's cells. */
  public CellComparator comparator() {
    return comparator;
  }

  /**
   * Adds a cell under {@code sequence}; cursors see it once their read point has reached that
   * number. The time determines the age of the oldest unflushed write.
   */
  public void add(Cell cell, long sequence, long nowMillis) {
    view.active().add(cell, sequence, nowMillis);
  }

  /**
   * Adds the cells of a buffer, like {@code add}. To be used while {@link #freeze} is excluded: all
   * of them go to the segment that is active at the beginning.
   *
   * @param order the indexes of the cells, best in about the order of their rows; within a row it
   *     is changed
   */
  public void add(CellBuffer cells, int[] order, long sequence, long nowMillis) {
    view.active().add(cells, order, sequence, nowMillis);
  }

  /**
   * Adds the nonce of a change whose cells were just added, so that the store file of the cells
   * keeps it. {@link #freeze} must not run between the two additions.
   */
  public void addNonce(long group, long number, long writeMillis) {
    view.active().addNonce(group, number, writeMillis);
  }

  /** Passes on the nonces that the store's files keep, oldest file first. */
  public void readNonces(NonceList.Receiver receiver) throws IOException {
    for (StoreFile file : view.files()) {
      file.readNonces(context.oldestNonceMillis(), receiver);
    }
  }

  /** Returns the current view without counting a user; only to look at, not to read through. */
  public StoreView view() {
    return view;
  }

  /** Returns the current view, with the caller as an added user, who must release it. */
  public StoreView pin() {
    while (true) {
      StoreView current = view;
      if (current.tryRetain()) {
        return current;
      }
      // It was replaced in between; the next look finds its successor.
      Thread.onSpinWait();
    }
  }

  /**
   * Returns the source of values in MOB files, for one scan of {@code view}; {@link
   * ValueSource#NONE} if there are none, or if they are not wanted.
   */
  public ValueSource values(StoreView view, MobOptions options) {
    return hasOwnValues(view, options) ? ValueSource.NONE : mob.reader(options);
  }

  /** Tells whether {@link #values} would be {@link ValueSource#NONE}. */
  public boolean hasOwnValues(StoreView view, MobOptions options) {
    return options.references() || !(family.isMob() || view.refersToMobFiles());
  }

  /**
   * Puts an empty segment in front: the earlier writes wait for {@link #flush}. Excludes {@link
   * #add}.
   */
  public synchronized void freeze() {
    if (view.active().isEmpty()) {
      return;
    }
    List<MemStoreSegment> segments = new ArrayList<>();
    segments.add(newSegment());
    segments.addAll(view.segments());
    publish(view(segments, view.files()));
  }

  /**
   * Writes all frozen segments to a file and publishes it in their place. One thread at a time.
   *
   * @param sequence every write up to it is in a frozen segment or a file
   * @param oldestReadPoint the read point of the oldest scan that may read the new file
   * @return the new file's length, 0 if nothing was frozen
   */
  public long flush(long sequence, long oldestReadPoint) throws IOException {
    long now = context.clock().currentTimeMillis();
    return flush(sequence, new ReadHorizon(oldestReadPoint, now), () -> true);
  }

  /**
   * Like {@link #flush(long, long)}, but limited by the flush throughput. Every older view in use
   * gets a successor, in which the file replaces the segments.
   *
   * @param oldest the oldest read that may use the new file
   * @param hurry asked again and again; once it is true, the flush waits no more
   */
  public long flush(long sequence, ReadHorizon oldest, BooleanSupplier hurry) throws IOException {
    List<MemStoreSegment> frozen = view.frozen();
    if (frozen.isEmpty()) {
      return 0;
    }
    StoreFile file = writer.flush(frozen, sequence, oldest, hurry);
    file.release();
    lastFlushMillis = context.clock().currentTimeMillis();
    return file.length();
  }

  /** Puts {@code file} in the place of the segments that were written to it. */
  synchronized void replace(List<MemStoreSegment> frozen, StoreFile file) {
    publish(flushed(view, frozen, file));
    for (StoreView former : views) {
      boolean shares = !Collections.disjoint(former.segments(), frozen);
      if (shares && !former.hasSuccessor() && former.tryRetain()) {
        former.succeedBy(flushed(former, frozen, file));
        former.release();
      }
    }
  }

  /** Returns a view in which the file replaces the segments that were written to it. */
  private StoreView flushed(StoreView of, List<MemStoreSegment> frozen, StoreFile file) {
    List<MemStoreSegment> left = new ArrayList<>(of.segments());
    left.removeAll(frozen);
    List<StoreFile> files = new ArrayList<>(of.files());
    files.add(file);
    return view(left, files);
  }

  /**
   * Removes leftovers that could not be removed before, and drops files that are expired as a
   * whole; then merges files as the policy says, or all of them if {@code major} or if it is time
   * for that. While one thread does so, another one may merge files that are newer than all that
   * the first one merges; it waits if it must merge all.
   *
   * <p>If {@code major}, values that lie in MOB files are written anew, too.
   *
   * @param requester the user who asked for it; empty if the server began it
   * @param oldestReadPoint the read point of the oldest scan that may still begin on the result
   * @return whether files were merged or dropped; false also if {@link #stopCompactions} kept it
   *     from that
   */
  public boolean compact(boolean major, Optional<String> requester, long oldestReadPoint)
      throws IOException {
    return compactor.compact(major, requester, oldestReadPoint);
  }

  /** Returns the files, oldest first. */
  public List<StoreFileHook.Candidate> candidates() {
    return view().files().stream().map(HookedSelection::candidate).toList();
  }

  /** Tells whether there are more files than a flush should add to. */
  public boolean hasTooManyFiles() {
    return view.files().size() > context.settings().blockingFiles();
  }

  /**
   * Tells whether a compaction would merge more than {@link StoreSettings#compactionThrottleBytes}
   * if it began now.
   */
  public boolean isLargeCompaction(boolean major) {
    return compactor.isLarge(major);
  }

  /**
   * Returns how much the store needs a compaction: 0 if it has no more files than the minimum of a
   * compaction, 1 if it has as many as there may be before flushes wait, more if they do.
   */
  public double compactionPressure() {
    StoreSettings settings = context.settings();
    int files = view.files().size();
    int least = settings.compactionMinFiles();
    if (files <= least) {
      return 0;
    }
    return (files - least) / (double) Math.max(1, settings.blockingFiles() - least);
  }

  /**
   * Tells whether there are files worth merging, or to be dropped since all in them is expired, or
   * to be removed since an earlier attempt failed.
   */
  public boolean needsCompaction() {
    return compactor.wantsToRun();
  }

  /**
   * Returns why files still lack an index, one sentence; empty if no attempt to give them one has
   * failed.
   */
  public Optional<String> indexProblem() {
    return compactor.indexProblem();
  }

  BigRows bigRows() {
    return bigRows;
  }

  /**
   * Returns the largest rows that flushes and compactions have written since the store was opened;
   * they are big, or have many versions. At most 8.
   */
  public List<BigRow> largestRows() {
    return bigRows.rows();
  }

  /** Returns the progress of the running compactions. */
  public List<CompactionProgress> compactions() {
    return compactor.progress();
  }

  /** Tells whether some of the store's cells lie in files of the region that it was split from. */
  public boolean hasReferences() {
    return view.files().stream().anyMatch(StoreFile::isReference);
  }

  /** Returns the number up to which all writes are in the store's files, 0 if there are none. */
  public long flushedSequence() {
    return view.flushedSequence();
  }

  /**
   * Returns the lowest sequence number of a cell that is in no file, {@link Long#MAX_VALUE} if
   * there is none. Exact while nothing is added.
   */
  public long oldestUnflushedSequence() {
    long oldest = Long.MAX_VALUE;
    for (MemStoreSegment segment : view.segments()) {
      oldest = Math.min(oldest, segment.minSequence());
    }
    return oldest;
  }

  /**
   * Returns when the oldest write came that is in no file, milliseconds since 1970; {@link
   * Long#MAX_VALUE} if there is none.
   */
  public long oldestUnflushedMillis() {
    long oldest = Long.MAX_VALUE;
    for (MemStoreSegment segment : view.segments()) {
      oldest = Math.min(oldest, segment.firstAddedMillis());
    }
    return oldest;
  }

  /** Returns when the last flush ended, milliseconds since 1970; the opening before the first. */
  public long lastFlushMillis() {
    return lastFlushMillis;
  }

  /** Returns the highest sequence number of a cell in the store's files, 0 if there are none. */
  public long maxCellSequence() {
    return view.files().stream().mapToLong(StoreFile::maxCellSequence).max().orElse(0);
  }

  /**
   * Returns figures from the metadata of the store's files.
   *
   * @param nowMillis the time at which cells expire or not
   */
  public StoreFigures figures(long nowMillis) {
    return StoreFigures.of(family(), view.files(), nowMillis);
  }

  /** Returns sizes and counts. */
  public StoreStatistics statistics() {
    return StoreStatistics.of(this);
  }

  /** Returns how much the store needs a compaction. */
  public CompactionNeed compactionNeed() {
    return new CompactionNeed(needsCompaction(), hasTooManyFiles(), compactionPressure());
  }

  /** Returns the length of the store's files, bytes. */
  public long fileBytes() {
    return view.files().stream().mapToLong(StoreFile::length).sum();
  }

  /** Returns the bytes of heap that the store's segments take. */
  public long memStoreBytes() {
    long bytes = 0;
    for (MemStoreSegment segment : view.segments()) {
      bytes += segment.byteSize();
    }
    return bytes;
  }

  /**
   * Returns the heap bytes of flushed segments that reads still use. The store itself has files in
   * their place.
   */
  public long flushedBytesInUse() {
    if (views.size() <= 1) {
      return 0;
    }
    Set<MemStoreSegment> used = new HashSet<>();
    views.forEach(any -> used.addAll(any.segments()));
    view.segments().forEach(used::remove);
    return used.stream().mapToLong(MemStoreSegment::byteSize).sum();
  }

  /** Returns the bytes of cells in the store's segments: 0 if there is nothing to flush. */
  public long memStoreDataBytes() {
    long bytes = 0;
    for (MemStoreSegment segment : view.segments()) {
      bytes += segment.dataSize();
    }
    return bytes;
  }

  /** Lets running compactions give up, and no other begin; returns at once. */
  public void stopCompactions() {
    compactor.stop();
  }

  /** Stops compactions and waits for the running ones to end. */
  public void endCompactions() {
    compactor.stop();
    compactor.awaitEnd();
  }

  /** Lets compactions begin again, after {@link #stopCompactions} and unless closed. */
  public void resumeCompactions() {
    compactor.resume();
  }

  /**
   * Lets go of the files, once no compaction writes any more; scans that still read them keep them
   * open until they end.
   */
  @Override
  public void close() {
    endCompactions();
    context.paces().compactions().forget(pressure);
    synchronized (this) {
      publish(view(List.of(newSegment()), List.of()));
    }
  }

  /**
   * Opens a file that was moved into the store's directory, and makes it a file of the store. Reads
   * do not see it yet: the caller either {@linkplain #show shows} or {@linkplain #reject rejects}
   * it.
   *
   * @param path the file's path in the store's directory
   */
  public StoreFile adopt(String path) throws IOException {
    StoreFile file = StoreFile.open(context, path, comparator);
    boolean counted = false;
    try {
      context.hook().opened(info, family, HookedSelection.candidate(file));
      tracker.publish(file.tracked(), Set.of());
      counted = true;
    } finally {
      if (!counted) {
        file.release();
        tracker.settle();
      }
    }
    return file;
  }

  /**
   * Lets reads see an adopted file. Its sequence number must be higher than those of all other
   * files.
   */
  public synchronized void show(StoreFile adopted) {
    List<StoreFile> files = new ArrayList<>(view.files());
    files.add(adopted);
    publish(view(view.segments(), files));
    adopted.release();
  }

  /**
   * Tells whether the store has the cells of a file that was loaded in bulk: the file itself, or
   * the results of compactions that replaced it within the time for which nonces are remembered.
   *
   * @param namePrefix the beginning of the loaded file's name
   */
  public boolean hasLoaded(String namePrefix) throws IOException {
    StoreView pinned = pin();
    try {
      for (StoreFile file : pinned.files()) {
        if (file.hasLoaded(namePrefix, context.oldestNonceMillis())) {
          return true;
        }
      }
      return false;
    } finally {
      pinned.release();
    }
  }

  /**
   * Replaces all files of a store that another server owns, and drops the segments whose cells are
   * all in files. Excludes {@link #add}. A running read keeps its segments.
   *
   * @param flushed all cells up to this number are in files
   */
  synchronized void showOnly(List<StoreFile> files, long flushed) {
    List<MemStoreSegment> left = new ArrayList<>();
    for (MemStoreSegment segment : view.segments()) {
      if (segment.isEmpty() ? segment == view.active() : segment.maxSequence() > flushed) {
        left.add(segment);
      }
    }
    if (left.isEmpty() || left.get(0) != view.active()) {
      left.add(0, newSegment());
    }
    if (left.size() != view.segments().size()
        || left.get(0) != view.active()
        || !files.equals(view.files())) {
      publish(view(left, files));
    }
  }

  /** Returns an empty segment for {@link #show(MemStoreSegment)}. */
  public MemStoreSegment newSegment() {
    return new MemStoreSegment(comparator, SLAB_BYTES, context.indexed());
  }

  /** Lets later reads see the cells of a segment, all at once. Excludes {@link #add}. */
  public synchronized void show(MemStoreSegment complete) {
    List<MemStoreSegment> segments = new ArrayList<>(view.segments());
    segments.add(1, complete);
    publish(view(segments, view.files()));
  }

  /** Removes an adopted file that was not shown from the store's files. */
  public void reject(StoreFile adopted) throws IOException {
    tracker.reject(adopted.name());
  }

  /** Does without files, which are archived after their last use. */
  synchronized void drop(Set<StoreFile> unneeded) {
    List<StoreFile> files = new ArrayList<>(view.files());
    files.removeAll(unneeded);
    unneeded.forEach(file -> file.markReplaced(leftovers::addUnarchived));
    unneeded.forEach(file -> dropped.add(file.name()));
    publish(view(view.segments(), files));
  }

  /**
   * Returns the names of files that were dropped and may still exist, because a scan holds them or
   * they could not be archived. A compaction removes markers for them, too.
   */
  Set<String> dropped() {
    return dropped;
  }

  /**
   * Puts {@code result} in the place of {@code inputs}, which are archived after their last use.
   */
  synchronized void replace(Set<StoreFile> inputs, StoreFile result) {
    if (!view.files().containsAll(inputs)) {
      throw new IllegalStateException(
          "Some of the inputs " + inputs + " are not in the view " + view.files());
    }
    List<StoreFile> files = new ArrayList<>();
    boolean placed = false;
    for (StoreFile file : view.files()) {
      if (!inputs.contains(file)) {
        files.add(file);
      } else if (!placed) {
        files.add(result);
        placed = true;
      }
    }
    inputs.forEach(file -> file.markReplaced(leftovers::addUnarchived));
    publish(view(view.segments(), files));
  }

  /** Returns the storage of the store's files. */
  public Storage storage() {
    return context.storage();
  }

  StoreContext context() {
    return context;
  }

  /** Returns the files in the store's directory that are not part of it and must be removed. */
  Leftovers leftovers() {
    return leftovers;
  }

  /** Returns the tracker of the store's files. */
  StoreFileTracker tracker() {
    return tracker;
  }

  String region() {
    return region;
  }

  RegionInfo info() {
    return info;
  }

  /** Returns the context of the family's MOB files. */
  MobFamily mob() {
    return mob;
  }

  /** Returns the directory in which the store's owner writes files before they count. */
  ScratchDirectory scratch() {
    return scratch;
  }

  /** Returns a number that grows whenever the store's files change. Allocates nothing. */
  public long filesVersion() {
    return filesVersion;
  }

  /** Returns the place of a finished file. */
  String finalPath(String name) {
    return Storage.join(directory.family(family.nameAsString()), name);
  }

  private StoreView view(List<MemStoreSegment> segments, List<StoreFile> files) {
    StoreView made = new StoreView(segments, files, context.clock(), views::remove);
    views.add(made);
    return made;
  }

  private void publish(StoreView next) {
    StoreView previous = view;
    view = next;
    if (!next.files().equals(previous.files())) {
      filesVersion++;
    }
    previous.release();
  }

  @Override
  public String toString() {
    return region + "/" + family.nameAsString();
  }
}
