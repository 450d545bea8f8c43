package dev.cairn.engine.store;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.hfile.cache.WrittenBlocks;
import dev.cairn.engine.hfile.reader.HFileInfo;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.index.IndexedColumns;
import dev.cairn.engine.layout.HFileArchive;
import dev.cairn.engine.layout.Reference;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.layout.StoreFileName;
import dev.cairn.engine.memstore.NonceList;
import dev.cairn.engine.mob.MobFileRefs;
import dev.cairn.engine.scan.SourceFacts;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.index.FileIndex;
import dev.cairn.engine.tracking.StoreFileTracker.TrackedFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One file of a store, shared by all views that list it: an HFile, a link to an HFile elsewhere, or
 * a reference to a part of one. It counts the views: when the last one releases it, the file is
 * closed, and archived if a compaction has replaced it. Thread-safe.
 */
public final class StoreFile {
  private static final Logger LOG = LoggerFactory.getLogger(StoreFile.class);
  private static final byte[] EARLIEST_PUT = Bytes.utf8("EARLIEST_PUT_TS");

  /**
   * The entry in the file info of a flush that left out cells because of later ones; its value is
   * the number up to which the file holds all writes. A compaction's result is known as such
   * without it. Only Cairn writes and reads it.
   */
  static final byte[] HAS_DROPPED = Bytes.utf8("CAIRN_HAS_DROPPED");

  /**
   * The meta block with the nonces of the file's changes; see {@link NonceList}. Nobody but Cairn
   * writes or reads it.
   */
  static final String NONCES = "CAIRN_NONCES";

  private final HFileArchive archive;
  private final StoreFileName name;
  private final HFileReader reader;
  private final Optional<Reference> part;
  private final OptionalLong loaded; // in bulk, under this number
  private final CellComparator comparator;
  private final String path;
  private final MobFileRefs mobFiles;
  private final AtomicInteger users = new AtomicInteger(1);
  private volatile boolean indexDamaged;
  private final Map<byte[], FileIndex> indexes = new TreeMap<>(Arrays::compareUnsigned);
  private final Map<byte[], Long> indexBytes = new TreeMap<>(Arrays::compareUnsigned);

  /** Takes the file if it was replaced and cannot be archived; empty while it is not replaced. */
  private volatile Optional<Consumer<StoreFile>> unarchived = Optional.empty();

  StoreFile(
      HFileArchive archive,
      String path,
      HFileReader reader,
      Optional<Reference> part,
      MobFileRefs mobFiles,
      CellComparator comparator) {
    this.archive = archive;
    this.path = path;
    this.name = StoreFileName.parse(Storage.name(path));
    this.reader = reader;
    this.part = part;
    this.loaded = BulkLoad.sequence(name.hfile());
    this.comparator = comparator;
    this.mobFiles = mobFiles;
  }

  /** Opens the file at {@code path}, with its opener as the first user. */
  public static StoreFile open(StoreContext context, String path, CellComparator comparator)
      throws IOException {
    return StoreFileOpening.open(context, path, comparator);
  }

  /** Opens a file that has just been written. Some of its blocks are in the cache already. */
  static StoreFile open(
      StoreContext context, String path, CellComparator comparator, WrittenBlocks written)
      throws IOException {
    return StoreFileOpening.open(context, path, comparator, written);
  }

  /** Returns the file's path. */
  public String path() {
    return path;
  }

  /** Returns the file's name within its family's directory. */
  public String name() {
    return name.text();
  }

  /** Returns the tracker's record of the file. */
  TrackedFile tracked() {
    return new TrackedFile(name(), length());
  }

  /** Returns the parsed name. */
  public StoreFileName storeName() {
    return name;
  }

  /** Returns the open HFile with the cells: all of it, even if only a part belongs here. */
  public HFileReader reader() {
    return reader;
  }

  /** Tells whether only a part of the HFile belongs here. */
  public boolean isReference() {
    return part.isPresent();
  }

  /** Returns the part of the HFile that belongs here; empty if all of it does. */
  public Optional<Reference> part() {
    return part;
  }

  /** Returns a cursor over the cells that belong here; see {@link HFileReader#cursor}. */
  public CellCursor cursor(boolean cacheBlocks) {
    return part(reader.cursor(cacheBlocks));
  }

  /** As {@link #cursor(boolean)}, and counts its reads in {@code figures}. */
  public CellCursor cursor(boolean cacheBlocks, ReadMetrics figures) {
    return part(reader.cursor(cacheBlocks, figures));
  }

  private CellCursor part(CellCursor file) {
    CellCursor whole =
        loaded.isPresent() && !BulkLoad.keepsSequences(reader.info())
            ? new BulkLoadedCursor(file, maxSequence(), comparator)
            : file;
    return part.isEmpty() ? whole : new HalfFileCursor(whole, part.get(), comparator);
  }

  /**
   * Tells whether there may be a cell in the rows from {@code low} to {@code high}, both included;
   * an empty row is no limit.
   */
  public boolean mayContainRows(byte[] low, byte[] high) {
    HFileInfo info = reader.info();
    if (info.entryCount() == 0) {
      return false;
    }
    Cell first = info.firstKey().orElseThrow();
    Cell last = info.lastKey().orElseThrow();
    if (part.isPresent() && part.get().top()) {
      first = part.get().splitKey();
    } else if (part.isPresent()) {
      last = part.get().splitKey();
    }
    return (low.length == 0 || comparator.compareRow(last, low) >= 0)
        && (high.length == 0 || comparator.compareRow(first, high) <= 0);
  }

  /** Returns the length in bytes; of a part it is an estimate, half of the file's. */
  public long length() {
    return part.isEmpty() ? reader.length() : reader.length() / 2;
  }

  /** Returns the length before compression in bytes; of a part it is an estimate, likewise. */
  public long uncompressedLength() {
    long bytes = reader.info().totalUncompressedBytes();
    return part.isEmpty() ? bytes : bytes / 2;
  }

  /**
   * Returns the number that orders the file among the others. A bulk loaded file that keeps its
   * cells' own numbers has the number of its load plus one, as in HBase; a write of the store may
   * have that number, too.
   */
  public long maxSequence() {
    boolean keeps = loaded.isPresent() && BulkLoad.keepsSequences(reader.info());
    return keeps ? flushedSequence() + 1 : flushedSequence();
  }

  /**
   * Returns the number up to which all writes of the store were flushed when the file was made. The
   * store never gives it out later. The upper part of a split file has the number of the file plus
   * one, as in HBase: the daughter's numbers begin above it.
   */
  long flushedSequence() {
    long sequence = loaded.orElse(reader.info().maxSequence());
    return part.isPresent() && part.get().top() ? sequence + 1 : sequence;
  }

  /**
   * Returns the highest sequence number under which the file has or had a cell. It may be above
   * {@link #maxSequence} if another server made the file; then it is unrelated to the log.
   */
  public long maxCellSequence() {
    boolean renumbered = loaded.isPresent() && !BulkLoad.keepsSequences(reader.info());
    return renumbered ? maxSequence() : Math.max(maxSequence(), reader.info().maxMvcc());
  }

  /**
   * Returns the lowest timestamp of a put, {@link Long#MAX_VALUE} if there is none; {@link
   * Long#MIN_VALUE} if the file does not say.
   */
  public long earliestPut() {
    HFileInfo info = reader.info();
    return info.fileInfo().containsKey(EARLIEST_PUT) ? info.earliestPut() : Long.MIN_VALUE;
  }

  /** Returns when the file was made, milliseconds since 1970; 0 if it does not say. */
  public long createdMillis() {
    return reader.info().createdMillis();
  }

  /**
   * Returns when the major compaction that made the file ended, milliseconds since 1970; 0 if none
   * did.
   */
  public long majorCompactionMillis() {
    HFileInfo info = reader.info();
    return info.majorCompaction() ? info.createdMillis() : 0;
  }

  /**
   * Tells whether the file has all cells that a read at {@code readPoint} must see, even if the
   * server did not know of that read when the file was written. A compaction drops cells that no
   * known scan sees, and so does a flush that met a delete or an overwrite of its cells. And a file
   * of another region has that region's numbers, which a read point of a third, merged region does
   * not cover.
   */
  public boolean isWholeAt(long readPoint) {
    return maxSequence() <= readPoint || !(isReference() || mayHaveDropped());
  }

  private boolean mayHaveDropped() {
    return reader.info().majorCompaction()
        || reader.info().fileInfo().containsKey(HAS_DROPPED)
        || StoreFiles.hasInputs(this);
  }

  /**
   * Passes on the nonces that the file keeps. A part of a file passes on those of the whole file.
   *
   * @param sinceMillis a file that was made before this time is not read
   */
  void readNonces(long sinceMillis, NonceList.Receiver receiver) throws IOException {
    if (createdMillis() < sinceMillis) {
      return;
    }
    Optional<byte[]> nonces = reader.metaBlock(NONCES);
    try {
      nonces.ifPresent(bytes -> NonceList.read(bytes, receiver));
    } catch (IllegalArgumentException e) {
      throw new IOException("Store file " + path + " is damaged: " + e.getMessage(), e);
    }
  }

  /**
   * Tells whether the file was loaded in bulk under a name that begins with {@code namePrefix}, or
   * is the result of compactions of such a file, none of them before {@code sinceMillis}.
   */
  boolean hasLoaded(String namePrefix, long sinceMillis) throws IOException {
    if (name.hfile().startsWith(namePrefix)) {
      return true;
    }
    Optional<BulkLoad.Id> id = BulkLoad.Id.of(namePrefix);
    if (id.isEmpty() || !StoreFiles.hasInputs(this)) {
      return false;
    }
    boolean[] found = new boolean[1];
    readNonces(
        sinceMillis,
        (group, number, millis) -> found[0] |= id.get().equals(new BulkLoad.Id(group, number)));
    return found[0];
  }

  /** Returns the identity of the file if it was loaded in bulk. */
  Optional<BulkLoad.Id> loadedId() {
    return loaded.isPresent() ? BulkLoad.Id.of(name.hfile()) : Optional.empty();
  }

  /** Returns to which MOB files the cells refer; of a part, those of the whole file. */
  public MobFileRefs mobFiles() {
    return mobFiles;
  }

  /**
   * Tells whether the file has an index of each of these columns, none of them known to be damaged.
   * Reads nothing.
   */
  public boolean hasIndexes(IndexedColumns columns) {
    boolean all = true;
    for (int i = 0; i < columns.count(); i++) {
      all &= !indexDamaged && FileIndex.exists(reader, columns.qualifier(i));
    }
    return all;
  }

  /** Uses none of the file's indexes any more: one is damaged. A compaction makes new ones. */
  public void giveUpIndexes() {
    indexDamaged = true;
  }

  /**
   * Returns the file's index of a column; of a part, that of the whole file.
   *
   * @param figures counts the reads of the first call
   * @return empty if the file has none, or {@link #giveUpIndexes} was called
   * @throws dev.cairn.engine.store.index.DamagedIndexException if it is damaged
   */
  public Optional<FileIndex> index(byte[] qualifier, ReadMetrics figures) throws IOException {
    if (indexDamaged) {
      return Optional.empty();
    }
    synchronized (indexes) {
      FileIndex known = indexes.get(qualifier);
      if (known != null) {
        return Optional.of(known);
      }
    }
    Optional<FileIndex> opened = FileIndex.open(reader, qualifier, figures);
    synchronized (indexes) {
      opened.ifPresent(index -> indexes.put(qualifier, index));
    }
    return opened;
  }

  /**
   * Returns the bytes of the file's index of a column; of a part of a file, half of them. Reads the
   * root of the index the first time.
   *
   * @return 0 if the file has none
   */
  public long indexBytes(byte[] qualifier) throws IOException {
    synchronized (indexBytes) {
      Long known = indexBytes.get(qualifier);
      if (known != null) {
        return known;
      }
    }
    // Not index(), which keeps the root in memory for searches.
    long bytes =
        FileIndex.open(reader, qualifier, ReadMetrics.unused()).map(FileIndex::bytes).orElse(0L)
            / (isReference() ? 2 : 1);
    synchronized (indexBytes) {
      indexBytes.put(qualifier, bytes);
    }
    return bytes;
  }

  /** Returns the properties that an explanation shows. */
  SourceFacts facts() {
    HFileInfo info = reader.info();
    return new SourceFacts(
        name(),
        false,
        info.entryCount(),
        length(),
        info.minTimestamp(),
        info.maxTimestamp(),
        info.firstKey().map(Cell::row),
        info.lastKey().map(Cell::row),
        info.bloomType().name());
  }

  /** Counts one more user. The caller holds a view that lists the file. */
  void retain() {
    users.incrementAndGet();
  }

  /** Ends the use of a file that no view lists. */
  public void close() {
    release();
  }

  /** Counts one user less. */
  void release() {
    if (users.decrementAndGet() > 0) {
      return;
    }
    try {
      reader.close();
    } catch (IOException e) {
      LOG.warn("Could not close the store file {}: {}", path, e.toString());
    }
    if (unarchived.isPresent()) {
      archive();
    }
  }

  /**
   * Archives a replaced, unused file. If that fails, passes the file to the receiver that {@link
   * #markReplaced} got.
   */
  void archive() {
    String directory = path.substring(0, path.length() - Storage.name(path).length() - 1);
    try {
      archive.archive(StoreDirectory.parse(directory), name());
    } catch (IOException e) {
      // It does not count meanwhile, because its replacement names it.
      LOG.warn("Could not archive the compacted store file {}: {}", path, e.toString());
      unarchived.orElseThrow().accept(this);
    }
  }

  /**
   * Marks the file as replaced by a compaction's result: it is archived after its last use.
   *
   * @param receiver gets the file if it cannot be archived
   */
  void markReplaced(Consumer<StoreFile> receiver) {
    unarchived = Optional.of(receiver);
  }

  @Override
  public String toString() {
    return path;
  }
}
